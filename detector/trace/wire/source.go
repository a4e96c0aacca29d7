//go:build !taskinstr_runtime

package wire

import "embed"

// Source is the text of this package, which rt merges into package runtime.
//
//go:embed *.go
var Source embed.FS
