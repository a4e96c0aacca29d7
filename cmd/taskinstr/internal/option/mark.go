package option

// Mark is the compiler flag with which the wrapper marks a package that gets
// checks, and Marked the package pattern that matches the marked ones. The mark
// is taken away before the compiler sees it.
const (
	Mark   = "-taskinstr-check"
	Marked = "@marked"
)

// Fact, with the digest of a plan behind it, is the compiler flag with which the
// wrapper hands a package its plan. It is taken away as well.
const Fact = "-taskfact="
