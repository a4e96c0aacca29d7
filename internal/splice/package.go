package splice

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"

	"taskinstr/internal/site"
)

// A Config says which package to rewrite, and how.
type Config struct {
	site.Source
	Filename func(string) string // maps a file name to the one users see; may be nil
	Plan     *Plan               // may be nil
	// Branches has simple if statements record what their other side would access: see
	// branch.go.
	Branches bool
	// Count has the program count the checks that it executes.
	Count bool
	// Shadow has checks look at the shadow of memory, not at a filter: see [shadowHelpers].
	Shadow bool
	// FreshLoops: the compiler gives each iteration its own loop variables wherever a
	// file has line directives, as Go 1.25 does, whatever the language version.
	FreshLoops bool
	// Unoptimized says that the compiler's optimizations are off (-N). Frames are larger
	// then, and functions marked go:nosplit have no room for checks.
	Unoptimized bool
}

// A Result is what to compile instead of the package's files.
type Result struct {
	Files     [][]byte // nil: unchanged
	Generated []byte   // the added file; nil: nothing to check
	Sites     []Row    // the table of sites, by number
	Stats     Stats
	Branches  []BranchNote // with Config.Branches: all if statements
}

// Stats counts what was instrumented, and what was not by reason.
type Stats struct {
	Checks  int // check sites
	Reads   int // of these, reads of a value
	Writes  int // of these, writes of a value
	Ranges  int // of these, element ranges (append, copy, clear, conversions)
	Atomic  int // uses of sync/atomic functions
	Dynamic int // uses of methods that may lead to a method wrapper

	Omitted   int // accesses that the plan leaves unchecked
	Guarded   int // accesses that it checks under a condition
	Spans     int // checks of elements that it adds
	Unplanned int // entries of the plan that fit nothing here: checked

	Local      int // reads and writes of variables that stay in one goroutine
	ZeroSize   int // accesses of no bytes
	Hidden     int // embedded pointers and receivers that cannot be spelled here
	NoRace     int // functions marked go:norace
	NoSplit    int // functions marked go:nosplit, whose ranges and lengths are not checked
	Cgo        int // functions made by cgo
	EarlyCheck int // checks before a call of the same expression that plain code makes first
	OldLoops   int // loops whose package is left alone since they would change their meaning
	Shadowed   int // packages that redeclare predeclared types the checks need
	Unranged   int // append, copy and range operands that no helper fits
	Unspelled  int // literals and arguments whose type the source does not spell, and cannot: their first values are not checked
	Unbound    int // method values of type parameters: what their wrappers access is not checked
	Undeferred int // deferred calls whose receiver no variable can hold: the same
}

// Add adds t to s.
func (s *Stats) Add(t Stats) {
	s.Checks += t.Checks
	s.Reads += t.Reads
	s.Writes += t.Writes
	s.Ranges += t.Ranges
	s.Atomic += t.Atomic
	s.Omitted += t.Omitted
	s.Guarded += t.Guarded
	s.Spans += t.Spans
	s.Unplanned += t.Unplanned
	s.Local += t.Local
	s.ZeroSize += t.ZeroSize
	s.Hidden += t.Hidden
	s.NoRace += t.NoRace
	s.NoSplit += t.NoSplit
	s.Cgo += t.Cgo
	s.EarlyCheck += t.EarlyCheck
	s.OldLoops += t.OldLoops
	s.Shadowed += t.Shadowed
	s.Unranged += t.Unranged
	s.Dynamic += t.Dynamic
	s.Unspelled += t.Unspelled
	s.Unbound += t.Unbound
	s.Undeferred += t.Undeferred
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
	helpers     map[string]bool // used in the generated file
	dynamics    []dynamicCall
	bound       map[string]*types.Signature // helpers of method values, with a function of each's shape
	atomics     map[string]*types.Func      // wrapped functions of sync/atomic
	stats       Stats
	used        map[site.Key]bool // keys of the plan that were met
	inserts     map[site.Pos][]int
	inserted    map[int]bool // inserts of the plan that were made
	once        map[onceKey][]site.Key
	clones      map[site.Pos]bool // functions that get a clone
	cloneCalls  map[site.Pos]bool // names of called functions that may become those of clones
	files       []*file
	branchNotes []BranchNote
	keep        bool // the generated file refers to the table, and nothing else does
}

// A file is the state of one file's rewriting.
type file struct {
	*site.File
	pkg   *pkg
	ast   *ast.File
	tok   *token.File
	src   []byte
	edits []*edit

	fn          *function          // being rewritten
	seq         *sequence          // the statement or header being rewritten
	temps       int                // temporaries named so far
	skip        bool               // inside a function that gets no checks, atomics excepted
	nosplit     bool               // the function whose body comes next is marked go:nosplit
	noCopy      site.InPlace       // conversions of bytes that the compiler does not copy
	moved       map[ast.Expr]bool  // units that temporaries stand for
	siteAt      map[ast.Expr]int   // the sites of values that are read
	storeAt     map[ast.Expr]store // and of places that are written
	told        map[int]bool       // sites whose formulas are told
	branchSites map[int]bool       // sites of branches
	plan        bool               // the package's plan speaks of this file
	atomicName  string             // a function of sync/atomic whose import must stay used

	// While text is written:
	prefixes []string        // of labels, one for each version of a loop around
	known    map[string]bool // flags that are set
	fast     int             // versions without checks so far
	slow     bool            // in a version with all checks
}

// Package rewrites one type-checked package. It never fails on code that the
// compiler accepts; what it cannot instrument it leaves alone and counts.
func Package(c Config) (res *Result, err error) {
	p := &pkg{
		cfg:       c,
		following: map[*types.Func]bool{},
		helpers:   map[string]bool{},
		bound:     map[string]*types.Signature{},
		atomics:   map[string]*types.Func{},
		used:      map[site.Key]bool{},
		inserted:  map[int]bool{},
	}
	at := "" // for the error below
	defer func() {
		if r := recover(); r != nil {
			res, err = nil, fmt.Errorf("splice %s: internal error at %s: %v", c.Path, at, r)
		}
	}()
	p.Package, err = site.New(c.Source)
	if err != nil {
		return nil, fmt.Errorf("splice %w", err)
	}
	p.shareOnce()
	p.indexInserts()
	res = &Result{Files: make([][]byte, len(c.Files))}
	p.stats.Shadowed = p.Shadows("uint32", "uint64", "uintptr", "string")
	if c.FreshLoops {
		p.stats.OldLoops = p.sharingLoops()
	}
	if p.stats.Shadowed+p.stats.OldLoops > 0 {
		res.Stats = p.stats
		return res, nil
	}
	var files []*file
	for _, sf := range p.FilesOf() {
		f := &file{File: sf, pkg: p, ast: sf.Syntax, tok: sf.Token, src: sf.Text, noCopy: site.InPlace{}, moved: map[ast.Expr]bool{}, siteAt: map[ast.Expr]int{}, storeAt: map[ast.Expr]store{}, known: map[string]bool{}}
		f.plan = f.planned()
		files = append(files, f)
	}
	p.files = files
	p.findClones(files)
	for i, f := range files {
		a, tf := c.Files[i], f.tok
		if site.CgoFile(tf.Name()) {
			continue
		}
		for _, d := range a.Decls {
			at = c.Fset.Position(d.Pos()).String()
			f.decl(d)
		}
		at = tf.Name()
		f.listUnseen()
	}
	if len(p.sites) == 0 && len(p.unseen) > 0 {
		p.keepTable()
	}
	if len(p.sites) > 0 {
		files[0].addTables()
	}
	for i, f := range files {
		at = f.tok.Name()
		if len(f.edits) > 0 {
			res.Files[i] = f.finish()
		}
	}
	res.Generated = p.generate()
	p.unmatched()
	res.Sites, res.Stats = p.sites, p.stats
	res.Branches = p.branchNotes
	return res, nil
}

// finish renders the file below a directive that keeps its positions.
func (f *file) finish() []byte {
	name := f.tok.Name()
	if abs, err := filepath.Abs(name); err == nil {
		name = abs
	}
	out := append([]byte("//line "+name+":1:1\n"), f.render()...)
	if f.atomicName != "" {
		// Every use of the import may have been replaced; an unused import is
		// an error.
		out = append(out, "\nvar _ = "+f.atomicName+"\n"...)
	}
	return out
}

// sharingLoops counts the loops of old language versions with variables that
// something reaches which may outlive an iteration.
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
					if v, ok := p.cfg.Info.Defs[id].(*types.Var); ok && p.shared(v) {
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
