//go:build !taskinstr_runtime

package race

import "embed"

// Source is this package's own text, which rt merges into package runtime.
//
//go:embed *.go
var Source embed.FS
