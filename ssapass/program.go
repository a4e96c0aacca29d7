package ssapass

// Program returns the program that was analysed.
func (a *Analysis) Program() *Program { return a.prog }
