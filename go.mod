module taskinstr

go 1.25.0

require golang.org/x/tools v0.48.0 // indirect
