package splice

import (
	"fmt"
	"go/ast"
	"strconv"
	"strings"

	"taskinstr/internal/site"
)

// An accessor is a function of package encoding/binary that reads a number from a slice of
// bytes or writes it there. Its checks are in that package, where a loop's scan cannot replace
// them. So the generated file has a copy of the function, without checks, and a call for which
// a scan makes the check goes to the copy (version.go). The scan tests that each slice is long
// enough: the copy never panics.

// accessors maps the names of the variable and the method of encoding/binary to the helper
// that is the copy, and accessorHelpers has the copies.
var accessors, accessorHelpers = makeAccessors()

// makeAccessors writes a copy that reads and a copy that writes, for each order and width.
func makeAccessors() (names map[[2]string]string, copies map[string]*helper) {
	names, copies = map[[2]string]string{}, map[string]*helper{}
	add := func(variable, method, name, text string) {
		names[[2]string{variable, method}] = name
		copies[name] = &helper{pieces: []piece{{text: "func " + name + text}}}
	}
	for variable, order := range map[string]string{"LittleEndian": "le", "BigEndian": "be"} {
		for _, size := range []int{2, 4, 8} {
			bits, terms, stores := strconv.Itoa(8*size), make([]string, size), ""
			for i := range size {
				place := i
				if order == "be" {
					place = size - 1 - i
				}
				left, right := "", ""
				if place > 0 {
					left, right = fmt.Sprintf("<<%d", 8*place), fmt.Sprintf(" >> %d", 8*place)
				}
				terms[i] = fmt.Sprintf("uint%s(b[%d])%s", bits, i, left)
				stores += fmt.Sprintf("\tb[%d] = byte(v%s)\n", i, right)
			}
			test := fmt.Sprintf("\t_ = b[%d]\n", size-1)
			add(variable, "Uint"+bits, "_ti_"+order+bits, "(b []byte) uint"+bits+" {\n"+test+"\treturn "+strings.Join(terms, " | ")+"\n}\n")
			add(variable, "PutUint"+bits, "_ti_put"+order+bits, "(b []byte, v uint"+bits+") {\n"+test+stores+"}\n")
		}
	}
	return names, copies
}

// Accessor returns the name of the copy of a method of a variable of package
// encoding/binary, "" if there is none.
func Accessor(variable, method string) string { return accessors[[2]string{variable, method}] }

// copied reports whether a call may go to the copy of an accessor: the plan names a helper,
// and the package leaves the predeclared names alone that the copies need.
func (p *pkg) copied(c Call) bool {
	return accessorHelpers[c.Accessor] != nil && p.Shadows("byte", "uint16", "uint32", "uint64") == 0
}

// calledAs returns the syntax by which c calls a function, and the name by which the call goes
// to a function without checks.
func (f *file) calledAs(c *ast.CallExpr, id *ast.Ident, to Call) (n ast.Node, name string) {
	switch {
	case to.Accessor != "":
		return c.Fun, to.Accessor
	case to.Wide != nil:
		return id, to.name + id.Name
	}
	return id, clonePrefix + id.Name
}

// callPlaces are calls by the position of the called name.
type callPlaces map[site.Pos]Call
