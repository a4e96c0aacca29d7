package site

import "testing"

// TestAsWritten checks that expressions are spelled as before cgo changed them.
func TestAsWritten(t *testing.T) {
	for in, want := range map[string]string{
		"s.m[ /*line :32:56*/_Ctype_int /*line :32:61*/(2)]":      "s.m[C.int(2)]",
		"s.m[( /*line :31:21*/_Cfunc_square /*line :31:28*/)(3)]": "s.m[C.square(3)]",
		"( /*line :38:52*/*_Cvar_hits /*line :38:57*/)":           "C.hits",
		"*_Cvar_hits":                                    "C.hits",
		"field x of _Ctype_struct_point":                 "field x of C.struct_point",
		"xs[( /*line :4:5*/_Ciconst_MAX /*line :4:9*/)]": "xs[(C.MAX)]",
		"p.my_Ctype_x":                                   "p.my_Ctype_x",
		"a[i]":                                           "a[i]",
	} {
		if got := AsWritten(in); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}
