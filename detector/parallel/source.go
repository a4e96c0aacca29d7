//go:build !taskinstr_runtime

package parallel

import "embed"

// Source holds the text of this package, which rt merges into package runtime.
//
//go:embed *.go
var Source embed.FS
