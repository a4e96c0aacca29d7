module taskinstr

go 1.25.0

require (
	github.com/rogpeppe/go-internal v1.16.0
	golang.org/x/tools v0.48.0 // indirect
)
