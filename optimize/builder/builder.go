package builder

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"taskinstr/optimize/layout"
	"taskinstr/ssapass"
	"taskinstr/ssapass/instrs"
	"taskinstr/ssapass/pointsto"
)

// A Scope says which packages have checks, and which of these a plan decides about.
type Scope struct {
	Std     bool // the plan decides about the standard library, too
	Explain bool // passes say why they keep a check, also where that takes time
}

// A Builder makes one plan. Sites are named by their index in Analysis.Sites.List.
type Builder struct {
	Analysis *ssapass.Analysis

	pass    Pass
	chosen  []Pass
	explain bool
	scope   map[string]bool // import paths of the packages that the plan decides about

	fates     []Fate
	inserts   []Insert
	redirects []Redirect
	borrowers []Borrower
	lent      []Lent

	overwrites []string
	quiet      []QuietLoad
	leaks      []Leak

	// By site.
	checked []bool        // has a check that a plan may decide about
	part    []bool        // that check does not include all bytes of the access
	covers  map[int][]int // the sites that a site covers, which so stays Kept
	indexes map[*ssapass.Site]int
	twins   map[twinKey][2]int
	kept    map[int][]Note   // reasons of kept sites, as far as passes gave any
	spared  map[int][]string // positions of the loops whose calls make no check of the site
	called  map[int][]string // what is said of the calls that go to copies of the site's function
	pinned  map[int]bool     // its check stays as it is, since calls rely on it

	calls     map[token.Pos][]ssa.CallInstruction // of the program, by opening parenthesis; nil before the first use
	unchecked func(pointsto.Set) bool             // see Unchecked
	claims    []func(ast.Node) Claim              // of the chosen passes; nil before the first call of Claim
}

// A twinKey names an expression of op= or ++: one check serves its read and its write.
type twinKey struct {
	file      string
	line, col int
	expr      string
}

// New returns the builder of a plan by the chosen passes. The builder writes its decisions
// to fates, which has a Fate for each site of the analysis; it begins with all checks kept.
func New(a *ssapass.Analysis, fates []Fate, chosen []Pass, s Scope) (*Builder, error) {
	n := len(fates)
	b := &Builder{
		Analysis: a, chosen: chosen, explain: s.Explain, scope: map[string]bool{}, fates: fates, covers: map[int][]int{},
		twins: map[twinKey][2]int{}, indexes: make(map[*ssapass.Site]int, n), kept: map[int][]Note{}, spared: map[int][]string{}, called: map[int][]string{}, pinned: map[int]bool{},
	}
	for _, pkg := range a.Program().Packages {
		if s.Std || !standard(pkg) {
			b.scope[pkg.PkgPath] = true
		}
	}
	for i, s := range a.Sites.List {
		b.fates[i] = Fate{By: -1}
		b.indexes[s] = i
		if k := s.Key; !k.Elems {
			t, ok := b.twins[twinKey{k.File, k.Line, k.Col, k.Expr}]
			if !ok {
				t = [2]int{-1, -1}
			}
			if k.Write {
				t[1] = i
			} else {
				t[0] = i
			}
			b.twins[twinKey{k.File, k.Line, k.Col, k.Expr}] = t
		}
	}
	return b, b.findChecked()
}

// standard reports whether the package comes with Go.
func standard(pkg *packages.Package) bool {
	return pkg.Module == nil && pkg.PkgPath != "command-line-arguments"
}

// Begin says which of the chosen passes runs next.
func (b *Builder) Begin(p Pass) { b.pass = p }

// Inserts returns the code that the passes have added so far.
func (b *Builder) Inserts() []Insert { return b.inserts }

// InScope reports whether the plan decides about the package with this import path.
func (b *Builder) InScope(path string) bool { return b.scope[path] }

// Is64Bit reports whether the program is compiled for 64 bits.
func (b *Builder) Is64Bit() bool {
	for _, p := range b.Analysis.Program().Packages {
		if b.scope[p.PkgPath] && p.TypesSizes != nil && p.TypesSizes.Sizeof(types.Typ[types.Int]) != layout.WordSize {
			return false
		}
	}
	return true
}

// Index returns the index of a site of the analysis.
func (b *Builder) Index(s *ssapass.Site) int { return b.indexes[s] }

// Fate returns the present fate of site i.
func (b *Builder) Fate(i int) Fate { return b.fates[i] }

// Checked reports whether site i has a check that a plan may decide about.
func (b *Builder) Checked(i int) bool { return b.checked[i] }

// Part reports whether the check of site i does not include all bytes of the access. Such
// a check has no flag and covers nothing.
func (b *Builder) Part(i int) bool { return b.part[i] }

// CanCover reports whether site i has a whole check that is Kept.
func (b *Builder) CanCover(i int) bool {
	return b.checked[i] && !b.part[i] && b.fates[i].Kind == Kept
}

// CanWiden reports whether site i has a check that is Kept, which Widen may make a check of other
// bytes. It may be a check of a part of the access.
func (b *Builder) CanWiden(i int) bool { return b.checked[i] && b.fates[i].Kind == Kept }

// Covers reports whether the check of site i covers other sites.
func (b *Builder) Covers(i int) bool { return len(b.covers[i]) > 0 || b.pinned[i] }

// Open returns the open sites, with their indexes. A site that the loop's body decides
// about is not visited again.
func (b *Builder) Open() iter.Seq2[int, *ssapass.Site] {
	return func(yield func(int, *ssapass.Site) bool) {
		for i, s := range b.Analysis.Sites.List {
			if b.IsOpen(i) && !yield(i, s) {
				return
			}
		}
	}
}

// IsOpen reports whether the running pass may decide about site i: the site is checked,
// Kept, in scope and may run, it covers no other site, and its fate may be of the kind
// that the pass gives.
func (b *Builder) IsOpen(i int) bool {
	s := b.Analysis.Sites.List[i]
	if s.Fresh && !b.pass.Proves {
		return false // the check is not made where the memory is allocated
	}
	return b.checked[i] && !(b.part[i] && b.pass.Guards) && b.fates[i].Kind == Kept && !b.Covers(i) && len(s.Accesses) > 0 && b.scope[s.Pkg.Path()]
}

// CanYield reports whether the running pass may decide about site i as IsOpen says, or could
// if the site covered no others (see Yield).
func (b *Builder) CanYield(i int) bool {
	s := b.Analysis.Sites.List[i]
	return (b.pass.Proves || !s.Fresh) && b.CanWiden(i) && b.fates[i].Len == 0 && !b.pinned[i] && len(s.Accesses) > 0 && b.scope[s.Pkg.Path()]
}

// Twin returns the other site of op= or ++, or -1. The rewriter makes one check for both,
// the check of the write: only the fate of the write has an effect, and the read has no
// check of its own.
func (b *Builder) Twin(i int) int {
	k := b.Analysis.Sites.List[i].Key
	if k.Elems {
		return -1
	}
	t := b.twins[twinKey{k.File, k.Line, k.Col, k.Expr}]
	if k.Write {
		return t[0]
	}
	return t[1]
}

// Calls returns the call instructions of SSA for the call expression whose opening
// parenthesis is at a position.
func (b *Builder) Calls(at token.Pos) []ssa.CallInstruction {
	if b.calls == nil {
		b.calls = map[token.Pos][]ssa.CallInstruction{}
		for in := range instrs.All(b.Analysis.Program().Functions()) {
			if c, ok := in.(ssa.CallInstruction); ok && c.Common().Pos().IsValid() {
				b.calls[c.Common().Pos()] = append(b.calls[c.Common().Pos()], c)
			}
		}
	}
	return b.calls[at]
}

// Unchecked reports whether code without checks may publish memory at an address of the
// set.
func (b *Builder) Unchecked(s pointsto.Set) bool {
	if b.unchecked == nil {
		b.unchecked = b.Analysis.Unchecked(func(string) bool { return b.Analysis.Partial() })
	}
	return b.unchecked(s)
}

// Explains reports whether passes say why they keep a check, also where that takes time.
func (b *Builder) Explains() bool { return b.explain }

// Claim returns the claim of a chosen pass to a loop or an access.
func (b *Builder) Claim(n ast.Node) (most Claim) {
	if b.claims == nil {
		b.claims = []func(ast.Node) Claim{}
		for _, p := range b.chosen {
			if p.Claims != nil {
				b.claims = append(b.claims, p.Claims(b))
			}
		}
	}
	for _, claims := range b.claims {
		most = max(most, claims(n))
	}
	return most
}
