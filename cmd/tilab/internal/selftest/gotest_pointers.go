package selftest

// badPointers holds the programs of GOROOT/test that break the rules of package unsafe on purpose.
// Checkptr ends them, under go build -race as well, so they are built without it.
var badPointers = map[string]bool{
	"fixedbugs/bug246.go":      true,
	"fixedbugs/issue24491a.go": true,
	"unsafe_slice_data.go":     true,
	"unsafebuiltins.go":        true,
}
