package option

// Mark is the compiler flag with which the wrapper marks a package that gets
// checks, and Marked the package pattern that matches the marked ones. The mark
// is taken away before the compiler sees it.
const (
	Mark   = "-taskinstr-check"
	Marked = "@marked"
)
