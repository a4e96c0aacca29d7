module taskinstr

go 1.25.0

require (
	github.com/crillab/gophersat v1.4.0
	github.com/google/pprof v0.0.0-20260115054156-294ebfa9ad83
	github.com/rogpeppe/go-internal v1.16.0
	golang.org/x/tools v0.48.0
)

require (
	golang.org/x/mod v0.38.0 // indirect
	golang.org/x/sync v0.22.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
)
