package ssapass

// Program returns the program that was analysed.
func (a *Analysis) Program() *Program { return a.prog }

// Text returns the file's text as it was analysed, and whether the file belongs
// to the program.
func (p *Program) Text(file string) ([]byte, bool) {
	if src := p.sources[file]; src != nil {
		return src.text, true
	}
	return nil, false
}
