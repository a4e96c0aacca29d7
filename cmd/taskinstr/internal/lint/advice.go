package lint

import (
	"fmt"
	"go/token"
	"go/types"
	"regexp"
	"strings"

	"golang.org/x/tools/go/ssa"

	"taskinstr/cmd/taskinstr/internal/frequency"
	"taskinstr/ssapass"
)

// advice returns the change of the source with which the check of a kept site would go, ""
// if none is known. The first of these that holds is the advice:
//
//   - The innermost loop synchronizes, so that no check stands for the next iteration.
//   - The access reads a place in a loop that stays the same and that the loop does not
//     write: a local variable can hold the value.
//   - The variable is captured by reference.
//   - The variable belongs to the package.
//   - Callers in other packages are unknown.
func (c *collector) advice(s *ssapass.Site, t *Site) string {
	acc := s.Accesses[0]
	var inner *frequency.Loop
	if n := len(t.loops); n > 0 {
		inner = t.loops[n-1]
	}
	root, direct := rootOf(acc.Addr)
	if fv, ok := root.(*ssa.FreeVar); ok && direct && !s.Key.Elems {
		return capturedAdvice(acc.Fn, fv, s.Key.Write)
	}
	if inner != nil {
		if in := c.synchronizes(acc, inner); in != nil {
			return fmt.Sprintf("%s may synchronize in each iteration of the loop at line %d; move it, or the access, out of the loop", c.operation(in), inner.Start.Line)
		}
		if a := c.localCopy(acc, t, inner); a != "" {
			return a
		}
	}
	if v, ok := root.(*ssa.Alloc); ok && direct && !s.Key.Elems {
		if m := capturer(v); m != nil {
			return fmt.Sprintf("%s is captured by reference by the function at %s: pass it as an argument, or give the function a copy", v.Comment, c.position(m.Fn.Pos()))
		}
	}
	if g, ok := root.(*ssa.Global); ok && direct {
		name := withoutFolders(g.RelString(s.Pkg))
		if s.Key.Write {
			return fmt.Sprintf("%s is a package variable: let each task write a variable of its own, and combine them when the tasks have ended", name)
		}
		return fmt.Sprintf("%s is a package variable: read it into a local variable before the tasks start, or write it only before they start", name)
	}
	return ""
}

// leaveLoop corrects the estimate of an access that stands in a loop of the source and that
// control passes on its way out, such as in the arguments of a return statement.
func (c *collector) leaveLoop(s *ssapass.Site, t *Site) {
	b := s.Accesses[0].Instr.Block()
	if n := len(t.loops); n > 0 && !reaches(b, b) && s.Accesses[0].Fn.Parent() == nil {
		t.Estimate /= t.loops[n-1].Trips
		t.loops = t.loops[:n-1]
		t.Loops = len(t.loops)
	}
}

// rootOf returns the variable or value from which the address is computed. direct says that
// the address lies in the variable itself: no pointer in memory is followed.
func rootOf(v ssa.Value) (root ssa.Value, direct bool) {
	direct = true
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			if _, slice := x.X.Type().Underlying().(*types.Slice); slice {
				direct = false
			}
			v = x.X
		case *ssa.Slice:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return v, direct
			}
			v, direct = x.X, false
		default:
			return v, direct
		}
	}
}

// capturedAdvice is the advice for a variable that the function captures by reference.
func capturedAdvice(fn *ssa.Function, fv *ssa.FreeVar, write bool) string {
	if write || writes(fn, fv) {
		return fmt.Sprintf("%s is captured by reference and written: let each task write a variable of its own, and combine them when the tasks have ended", fv.Name())
	}
	return fmt.Sprintf("%s is captured by reference: pass it as an argument, or copy it into a variable that nobody writes afterwards", fv.Name())
}

// writes reports whether the function stores to the captured variable as a whole.
func writes(fn *ssa.Function, fv *ssa.FreeVar) bool {
	for _, ref := range *fv.Referrers() {
		if st, ok := ref.(*ssa.Store); ok && st.Addr == fv {
			return true
		}
	}
	return false
}

// capturer returns a closure that captures the variable, nil if there is none.
func capturer(v *ssa.Alloc) *ssa.MakeClosure {
	for _, ref := range *v.Referrers() {
		if m, ok := ref.(*ssa.MakeClosure); ok {
			return m
		}
	}
	return nil
}

// synchronizes returns the first instruction of the loop around the access that may order
// this task and another one between two iterations, nil if there is none.
func (c *collector) synchronizes(acc ssapass.Access, l *frequency.Loop) (first ssa.Instruction) {
	access := acc.Instr.Block()
	for _, b := range acc.Fn.Blocks {
		if b != access && !(reaches(b, access) && reaches(access, b)) {
			continue // the block leaves the loop
		}
		for _, in := range b.Instrs {
			p := c.prog.Fset.Position(in.Pos())
			if !p.IsValid() || p.Filename != l.Start.Filename || !l.Holds(p.Line, p.Column) {
				continue
			}
			if c.plan.Analysis.InstrSync(in)&(ssapass.MayRelease|ssapass.MayAcquire) == 0 {
				continue
			}
			if first == nil || in.Pos() < first.Pos() {
				first = in
			}
		}
	}
	return first
}

// reaches reports whether control can flow from one block to the other.
func reaches(from, to *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	work := []*ssa.BasicBlock{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range b.Succs {
			if s == to {
				return true
			}
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return false
}

// operation names an instruction that synchronizes, with its line.
func (c *collector) operation(in ssa.Instruction) string {
	at := c.prog.Fset.Position(in.Pos()).Line
	call, ok := in.(ssa.CallInstruction)
	switch in.(type) {
	case *ssa.Go:
		return fmt.Sprintf("the go statement at line %d", at)
	case *ssa.Send:
		return fmt.Sprintf("the send at line %d", at)
	case *ssa.Select:
		return fmt.Sprintf("the select statement at line %d", at)
	case *ssa.UnOp:
		return fmt.Sprintf("the receive at line %d", at)
	}
	if !ok {
		return fmt.Sprintf("line %d", at)
	}
	common := call.Common()
	if f := common.StaticCallee(); f != nil {
		return fmt.Sprintf("the call of %s at line %d", withoutFolders(f.RelString(c.packageOf(in))), at)
	}
	if common.IsInvoke() {
		return fmt.Sprintf("the call of the interface method %s at line %d", common.Method.Name(), at)
	}
	return fmt.Sprintf("the call of a function value at line %d", at)
}

func (c *collector) packageOf(in ssa.Instruction) *types.Package {
	if p := in.Parent().Package(); p != nil {
		return p.Pkg
	}
	return nil
}

// majorVersion matches the last part of an import path that is no name of a package, with the dot
// behind it.
var majorVersion = regexp.MustCompile(`^v[0-9]+\.`)

// withoutFolders returns a name without the folders in its import paths: (*rand.Rand).IntN for
// (*math/rand/v2.Rand).IntN.
func withoutFolders(name string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(name, '/')
		if i < 0 {
			return b.String() + name
		}
		folder := strings.LastIndexFunc(name[:i], func(r rune) bool { return r == '(' || r == '*' || r == '[' || r == ',' || r == ' ' })
		b.WriteString(name[:folder+1])
		if v := majorVersion.FindString(name[i+1:]); v != "" {
			b.WriteString(name[folder+1 : i])
			name = name[i+len(v):]
			continue
		}
		name = name[i+1:]
	}
}

// isSelection reports whether an expression names the same place in each iteration if its first
// identifier does: x, x.f.g, *x.f.
func isSelection(expr string) bool {
	for part := range strings.SplitSeq(strings.TrimLeft(expr, "*"), ".") {
		if !token.IsIdentifier(part) {
			return false
		}
	}
	return true
}

// localCopy is the advice for a read of a place that is the same in each iteration of the
// loop, if nothing in the loop writes the place.
func (c *collector) localCopy(acc ssapass.Access, t *Site, l *frequency.Loop) string {
	load, ok := acc.Instr.(*ssa.UnOp)
	if !ok || !isSelection(t.Expr) || t.Elems || t.Access == "write" || !c.outside(acc.Addr, l) {
		return ""
	}
	for _, b := range acc.Fn.Blocks {
		for _, in := range b.Instrs {
			p := c.prog.Fset.Position(in.Pos())
			if !p.IsValid() || !l.Holds(p.Line, p.Column) {
				continue
			}
			if c.plan.Analysis.MayWrite(in, c.plan.Analysis.Where(c.plan.Analysis.Sites.Of(load)[0], acc)) {
				return ""
			}
		}
	}
	return fmt.Sprintf("%s is read in each iteration of the loop at line %d, which does not write it: read it into a local variable before the loop", t.Expr, l.Start.Line)
}

// outside reports whether the address is computed from values that exist before the loop.
func (c *collector) outside(v ssa.Value, l *frequency.Loop) bool {
	for {
		switch x := v.(type) {
		case *ssa.Global, *ssa.Parameter, *ssa.FreeVar, *ssa.Const:
			return true
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return false
			}
			v = x.X
		default:
			p := c.prog.Fset.Position(v.Pos())
			return p.IsValid() && p.Filename == l.Start.Filename && !l.Holds(p.Line, p.Column)
		}
	}
}

func (c *collector) position(pos token.Pos) string {
	p := c.prog.Fset.Position(pos)
	return Place{shown(p.Filename, c.dir), p.Line, p.Column}.String()
}
