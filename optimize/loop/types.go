package loop

import "go/types"

// IsInteger reports whether t is an integer type.
func IsInteger(t types.Type) bool { return isBasic(t, types.IsInteger) }

// IsNumber reports whether t is a numeric type.
func IsNumber(t types.Type) bool { return isBasic(t, types.IsNumeric) }

// IsString reports whether t is a string type.
func IsString(t types.Type) bool { return isBasic(t, types.IsString) }

func isBasic(t types.Type, info types.BasicInfo) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&info != 0
}

// isInt reports whether t is the type int, in which inserted code computes.
func isInt(t types.Type) bool {
	b, ok := types.Default(t).(*types.Basic)
	return ok && b.Kind() == types.Int
}

// IsArray reports whether t is an array type.
func IsArray(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Array)
	return ok
}

// IsPointer reports whether t is a pointer type.
func IsPointer(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}
