package escape

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"taskinstr/optimize/builder"
	"taskinstr/ssapass"
)

// known says from where the access has the address of shared memory, and how others know the
// memory, if the builder asks for explanations.
func known(b *builder.Builder, s *ssapass.Site, c ssapass.Access) string {
	if !b.Explains() {
		return ""
	}
	set := b.Analysis.Where(s, c)
	how := "its package leads to it from another task"
	if set.Unknown {
		how = "code outside of the package may have made it"
	} else {
		for _, cell := range set.Cells {
			if b.Analysis.Points.EscapedCell(cell) {
				how = "code outside of the package may know it"
			}
		}
	}
	return " " + origin(c.Addr) + ": " + how
}

// origin names the kind of the value from which an address is computed.
func origin(v ssa.Value) string {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Slice, *ssa.ChangeType:
			v = *v.(ssa.Instruction).Operands(nil)[0]
		case *ssa.Global:
			return "as a package variable"
		case *ssa.FreeVar:
			return "as a captured variable"
		case *ssa.Alloc:
			if x.Comment == "complit" || x.Comment == "new" {
				return "through a new object"
			}
			return "as a variable"
		case *ssa.Parameter:
			if f := x.Parent(); f.Signature.Recv() != nil && len(f.Params) > 0 && f.Params[0] == x {
				return "through the receiver"
			}
			return "through a parameter"
		case *ssa.UnOp:
			if x.Op == token.MUL {
				return "through a pointer in memory"
			}
			return "through a received value"
		case *ssa.Call:
			return "through the result of a call"
		case *ssa.Extract:
			if _, ok := x.Tuple.(*ssa.Call); ok {
				return "through the result of a call"
			}
			return "through a value of a map, channel or interface"
		case *ssa.Lookup, *ssa.TypeAssert:
			return "through a value of a map, channel or interface"
		case *ssa.Phi:
			return "through one of several pointers"
		default:
			return "through another value"
		}
	}
}
