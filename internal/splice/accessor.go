package splice

import (
	"go/ast"

	"taskinstr/internal/site"
)

// An accessor is a function of package encoding/binary that reads a number from a slice of
// bytes or writes it there. Its checks are in that package, where a loop's scan cannot replace
// them. So the generated file has a copy of the function, without checks, and a call for which
// a scan makes the check goes to the copy (version.go). The scan tests that each slice is long
// enough: the copy never panics.

// accessors maps the names of the variable and the method of encoding/binary to the helper
// that is the copy.
var accessors = map[[2]string]string{
	{"LittleEndian", "Uint16"}:    "_ti_le16",
	{"LittleEndian", "Uint32"}:    "_ti_le32",
	{"LittleEndian", "Uint64"}:    "_ti_le64",
	{"BigEndian", "Uint16"}:       "_ti_be16",
	{"BigEndian", "Uint32"}:       "_ti_be32",
	{"BigEndian", "Uint64"}:       "_ti_be64",
	{"LittleEndian", "PutUint16"}: "_ti_putle16",
	{"LittleEndian", "PutUint32"}: "_ti_putle32",
	{"LittleEndian", "PutUint64"}: "_ti_putle64",
	{"BigEndian", "PutUint16"}:    "_ti_putbe16",
	{"BigEndian", "PutUint32"}:    "_ti_putbe32",
	{"BigEndian", "PutUint64"}:    "_ti_putbe64",
}

// Accessor returns the name of the copy of a method of a variable of package
// encoding/binary, "" if there is none.
func Accessor(variable, method string) string { return accessors[[2]string{variable, method}] }

// copied reports whether a call may go to the copy of an accessor: the plan names a helper,
// and the package leaves the predeclared names alone that the copies need.
func (p *pkg) copied(c Call) bool {
	for _, name := range accessors {
		if c.Accessor == name {
			return p.Shadows("byte", "uint16", "uint32", "uint64") == 0
		}
	}
	return false
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
