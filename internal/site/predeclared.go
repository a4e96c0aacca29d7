package site

// Checks of elements use predeclared functions and types. A package that redeclares one
// of these names has no such checks.

// ElementsSpelled is for checks of all elements of a slice.
func (p *Package) ElementsSpelled() bool { return p.Shadows("len") == 0 }

// AddedSpelled is for checks of some elements of a slice.
func (p *Package) AddedSpelled() bool { return p.Shadows("len", "int") == 0 }

// ExtendSpelled is for append(s, make([]T, n)...).
func (p *Package) ExtendSpelled() bool {
	return p.Shadows("len", "int", "append", "make", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16") == 0
}

// TextSpelled is for values that are strings or slices of bytes.
func (p *Package) TextSpelled() bool { return p.Shadows("int", "byte", "string", "len") == 0 }

// BuiltinsSpelled is for calls of append and copy, and for collected arguments.
func (p *Package) BuiltinsSpelled() bool { return p.Shadows("len", "cap", "int", "byte") == 0 }
