package loop

import (
	"go/types"

	"taskinstr/internal/site"
)

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

// IsPointer reports whether t is a pointer type; it is false for nil.
func IsPointer(t types.Type) bool { return t != nil && site.IsPointer(t) }
