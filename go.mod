module taskinstr

go 1.26.0

require golang.org/x/tools v0.48.0 // indirect
