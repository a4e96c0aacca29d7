package splice

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"

	"taskinstr/internal/site"
)

// A Config is a package to rewrite, and the way to rewrite it.
type Config struct {
	site.Source
	Filename func(string) string // maps a file name to the name that users see; may be nil
	Plan     *Plan               // may be nil
	// Branches makes simple if statements record the accesses of the other side: see
	// branch.go.
	Branches bool
	// Count makes the program count the checks that it executes.
	Count bool
	// Shadow makes checks test the shadow of memory, as detectors of serial execution keep
	// it, and not the task's filter (files/shadow.go, files/filter.go).
	Shadow bool
	// Inlined reports whether the compiler will inline the function; may be nil. Its activations are
	// mostly none: its body is a part of its callers.
	Inlined func(*ast.FuncDecl) bool
	// NoCheckptr reports whether the function gets the directive go:nocheckptr; may be nil.
	NoCheckptr func(*ast.FuncDecl) bool
	// FreshLoops says that the compiler gives each iteration its own loop variables in
	// every file with line directives, as Go 1.25 does, whichever language version the file
	// has.
	FreshLoops bool
	// Unoptimized says that the compiler's optimizations are off (-N). Frames are larger
	// then, and functions marked go:nosplit have no room for checks.
	Unoptimized bool
}

// A Result is the files to compile in place of the package's files.
type Result struct {
	Files     [][]byte // the text of each file; nil: unchanged
	Generated []byte   // the text of the added file; nil: the package has no checks
	Sites     []Row    // the table of sites, by number
	Stats     Stats
	Branches  []BranchNote // with Config.Branches, all if statements
}

// Stats counts the checks, and the accesses without a check by reason.
type Stats struct {
	Checks  int // check sites
	Reads   int // of these, reads of a value
	Writes  int // of these, writes of a value
	Ranges  int // of these, element ranges (append, copy, clear, conversions)
	Atomic  int // uses of sync/atomic functions
	Dynamic int // uses of methods that may call a method wrapper

	Omitted   int // accesses that the plan leaves unchecked
	Guarded   int // accesses that the plan checks under a condition
	Spans     int // checks of elements that the plan adds
	Unplanned int // decisions of the plan that fit nothing in the package

	Local      int // reads and writes of variables that stay in one goroutine
	ZeroSize   int // accesses of no bytes
	Hidden     int // embedded pointers and receivers that cannot be spelled here
	NoRace     int // functions marked go:norace
	NoSplit    int // functions marked go:nosplit, which have no checks of ranges and lengths
	Cgo        int // functions made by cgo
	EarlyCheck int // checks that come before a call of the same expression, while the access comes after it
	OldLoops   int // loops whose meaning line directives would change: the package is left alone
	Shadowed   int // packages that redeclare predeclared types which the checks need: they are left alone
	Unranged   int // operands of append, copy and range without a suitable helper
	Unspelled  int // literals and arguments without a check of their first values: neither the source nor this package can spell their type
	Unbound    int // method values of type parameters: the accesses of their wrappers have no check
	Undeferred int // deferred calls whose receiver fits in no variable: likewise
}

// A pkg is the state of one Package call.
type pkg struct {
	*site.Package
	cfg         Config
	calledOnce  map[*types.Func]callIn // nil until a formula asks
	following   map[*types.Func]bool   // functions whose arguments a formula is looking for
	callee      *calleeFormula         // the call that a formula follows, nil if it follows none
	sites       []Row
	unseen      []unseenAccess
	helpers     map[string]bool // names of helpers that the package uses
	finals      map[string]bool // types of Fate.Final
	pooled      map[string]bool // types of Fate.Pooled
	leaks       map[Leak]bool   // leaks of the plan that the text has
	loads       map[site.Pos]Load
	quiet       map[Load]bool   // loads of the plan that the text has
	quietKinds  map[string]bool // functions and types of sync/atomic with such loads
	lost        map[string]bool // types with a leak in text that is copied as it is
	dynamics    []dynamicCall
	bound       map[string]*types.Signature // helpers of method values, each with a function of its shape
	atomics     map[string]*types.Func      // wrapped functions of sync/atomic
	stats       Stats
	used        map[site.Key]bool // keys of the plan that the walk has met
	inserts     map[site.Pos][]int
	inserted    map[int]bool // inserts of the plan that the text has
	once        map[onceKey][]site.Key
	clones      map[site.Pos]bool // functions that get a clone
	cloneCalls  callPlaces        // calls whose function a clone or copy may replace
	redirected  callPlaces        // calls that go to clones wherever they stand
	variants    map[site.Pos][]variant
	borrowers   map[*types.Func]*Borrower // functions that get a copy
	lent        map[site.Pos]bool         // calls that go to such copies wherever they stand
	importPaths map[*types.Package]string
	linked      []string  // the names of these copies, each with the linker's
	rows        *rowTwins // while the walk is in such a copy
	files       []*file
	types       spellings
	at          string // the declaration or file at hand, for errors
	branchNotes []BranchNote
	keep        bool // the generated file has the only reference to the table
}

// A file is the state of one file's rewriting.
type file struct {
	*site.File
	pkg   *pkg
	edits []*edit

	fn          *function          // the current function
	seq         *sequence          // the current statement or header
	temps       int                // number of temporaries so far
	skip        bool               // inside a function that gets no checks, atomics excepted
	nosplit     bool               // the next function body is of a function marked go:nosplit
	inlined     bool               // the next function body is of one that the compiler inlines
	called      bool               // the next function body is of one that it does not inline
	noCopy      site.InPlace       // conversions of bytes that the compiler does not copy
	moved       map[ast.Expr]bool  // units that temporaries have replaced
	siteAt      map[ast.Expr]int   // the sites of reads
	storeAt     map[ast.Expr]store // the sites of writes
	told        map[int]bool       // sites whose formulas the table has
	branchSites map[int]bool       // sites of branches
	plan        bool               // the plan decides about this file
	uses        map[string]bool    // declarations that keep imports in use
	outer       *file              // nil, or the file in which this one is the text of a copy (borrow.go)
	omits       map[site.Key]bool  // the accesses that the copy does not check
	qualifiers  map[*types.Package]string

	// The state while text is written.
	prefixes []string        // prefixes of labels, one for each version of a loop around
	setFlags map[string]bool // flags that are set in the text at hand
	fast     int             // number of versions without checks so far
	slow     bool            // the current text is of a version with all checks
}

// Package rewrites one type-checked package. It never fails on code that the compiler
// accepts: it leaves alone, and counts, the accesses that it cannot instrument.
func Package(c Config) (res *Result, err error) {
	p := newPkg(c)
	err = p.protect(func() error {
		if err := p.walk(); err != nil {
			return err
		}
		res = p.result()
		return nil
	})
	if err != nil {
		return nil, err
	}
	return res, nil
}

// Unplanned returns the number of decisions of c.Plan that Package would not carry out,
// Stats.Unplanned. It places the checks and writes no text.
func Unplanned(c Config) (int, error) {
	p := newPkg(c)
	err := p.protect(p.walk)
	return p.stats.Unplanned, err
}

func newPkg(c Config) *pkg {
	p := &pkg{
		cfg:        c,
		following:  map[*types.Func]bool{},
		helpers:    map[string]bool{},
		finals:     map[string]bool{},
		pooled:     map[string]bool{},
		leaks:      map[Leak]bool{},
		loads:      map[site.Pos]Load{},
		quiet:      map[Load]bool{},
		quietKinds: map[string]bool{},
		lost:       map[string]bool{},
		bound:      map[string]*types.Signature{},
		atomics:    map[string]*types.Func{},
		used:       map[site.Key]bool{},
		inserted:   map[int]bool{},
		types: spellings{
			texts: map[types.Type]string{}, numbers: map[string]int{}, names: map[*types.Package]string{}, helpers: map[typedHelper]bool{},
		},
	}
	if c.Plan != nil {
		for _, l := range c.Plan.Loads {
			p.loads[l.At] = l
		}
	}
	return p
}

// protect calls do and turns a panic into an error that names the place of the rewriting.
func (p *pkg) protect(do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("splice %s: internal error at %s: %v", p.cfg.Path, p.at, r)
		}
	}()
	return do()
}

// walk visits the package and collects the edits of its files. It collects none where
// the whole package is left alone.
func (p *pkg) walk() (err error) {
	if p.Package, err = site.New(p.cfg.Source); err != nil {
		return fmt.Errorf("splice %w", err)
	}
	p.shareOnce()
	p.indexInserts()
	p.stats.Shadowed = p.Shadows("uint32", "uint64", "uintptr", "string")
	if p.cfg.FreshLoops {
		p.stats.OldLoops = p.sharingLoops()
	}
	if p.untouched() {
		return nil
	}
	for _, sf := range p.FilesOf() {
		f := p.newFile(sf)
		f.plan = f.planned()
		p.files = append(p.files, f)
	}
	p.findClones(p.files)
	p.findBorrowers(p.files)
	for _, f := range p.files {
		if site.CgoFile(f.Token.Name()) {
			continue
		}
		for _, d := range f.Syntax.Decls {
			p.at = p.Fset.Position(d.Pos()).String()
			f.decl(d)
		}
		p.at = f.Token.Name()
		f.listUnseen()
	}
	p.unmatched()
	return nil
}

func (p *pkg) newFile(f *site.File) *file {
	return &file{File: f, pkg: p, noCopy: site.InPlace{}, moved: map[ast.Expr]bool{}, siteAt: map[ast.Expr]int{}, storeAt: map[ast.Expr]store{}, setFlags: map[string]bool{}, uses: map[string]bool{}}
}

// untouched reports whether the package is left alone as a whole.
func (p *pkg) untouched() bool { return p.stats.Shadowed+p.stats.OldLoops > 0 }

// result writes the text of the files and the table of sites.
func (p *pkg) result() *Result {
	res := &Result{Files: make([][]byte, len(p.cfg.Files))}
	if p.untouched() {
		res.Stats = p.stats
		return res
	}
	res.Sites = p.sites
	if len(p.sites) == 0 && len(p.unseen) > 0 {
		p.keepTable()
	}
	if len(p.sites) > 0 {
		p.files[0].addTables()
	}
	for i, f := range p.files {
		p.at = f.Token.Name()
		if len(f.edits) > 0 {
			res.Files[i] = f.finish()
		}
	}
	res.Generated = p.generate()
	res.Stats, res.Branches = p.stats, p.branchNotes
	return res
}

// finish renders the file below a directive that keeps its positions.
func (f *file) finish() []byte {
	name := f.Token.Name()
	if abs, err := filepath.Abs(name); err == nil {
		name = abs
	}
	out := append([]byte("//line "+name+":1:1\n"), f.render()...)
	// All other uses of an import may be gone; an unused import is an error.
	for _, u := range slices.Sorted(maps.Keys(f.uses)) {
		out = append(out, "\n"+u+"\n"...)
	}
	return out
}

// sharingLoops counts the loops of old language versions whose iterations share a variable
// that may be reached after an iteration.
func (p *pkg) sharingLoops() (count int) {
	for _, f := range p.FilesOf() {
		if f.PerIteration {
			continue
		}
		ast.Inspect(f.Syntax, func(n ast.Node) bool {
			var defined []ast.Expr
			switch n := n.(type) {
			case *ast.ForStmt:
				if init, ok := n.Init.(*ast.AssignStmt); ok && init.Tok == token.DEFINE {
					defined = init.Lhs
				}
			case *ast.RangeStmt:
				if n.Tok == token.DEFINE {
					defined = []ast.Expr{n.Key, n.Value}
				}
			}
			for _, e := range defined {
				if id, ok := e.(*ast.Ident); ok {
					if v, ok := p.Info.Defs[id].(*types.Var); ok && p.Shared(v) {
						count++
						break
					}
				}
			}
			return true
		})
	}
	return count
}
