package builder

import (
	"taskinstr/internal/site"
	"taskinstr/internal/splice"
	"taskinstr/ssapass"
)

// FateKind is the kind of a Fate.
type FateKind uint8

const (
	Kept    FateKind = iota // the check is made at the access
	Removed                 // the check is not made
	Guarded                 // the check is made unless a flag is set
)

func (k FateKind) String() string { return [...]string{"kept", "removed", "guarded"}[k] }

// A Fate is the decision about the check of one site, with its reason.
type Fate struct {
	Kind   FateKind
	Pass   string // the pass that decided; "" if Kept
	Reason string // one clause for people: "covered by the write at bank.go:10:3"
	By     int    // index of the site whose check covers this one, -1 if there is none
	More   []int  // further covers, if each path to the access has its own
	Len    int64  // Kept: the number of bytes that the check includes; 0: those of the access
	Back   int64  // with Len: the check begins this many bytes before the access
	Flag   string // Guarded: the variable, unless Final or Pooled is set
	Final  string // Guarded: the struct type, of the site's package; the check is made if another package overwrites values of it
	Pooled string // Guarded: the pooled type, of the site's package; the check is made once other code may know an object of it
	Once   bool   // Guarded: the first check sets the flag
	Gather bool   // Guarded: the variable is no flag but gathers elements; the check may cover others
	Down   bool   // Gather: the access mostly extends a range downwards
	Notes  []Note // Kept: the reasons of the passes that looked at it, in their order
}

// A Note is the reason of one pass for keeping a check.
type Note struct{ Pass, Reason string }

// Covers returns all sites whose checks cover this one.
func (f *Fate) Covers() []int {
	if f.By < 0 {
		return nil
	}
	return append([]int{f.By}, f.More...)
}

// An Insert is code in front of a loop or statement; see splice.Insert.
type Insert struct {
	Pass      string
	Pkg       string // import path
	File      string // as in ssapass.Key
	Line, Col int    // of the keyword for, or of the statement
	Flat      bool   // the code stands in front of a statement that is no loop
	Text      string
	Sites     [][]int       // the sites, by index, that the checks at $0, $1, ... replace; reports name the first
	Loads     [][]Load      // nil, or for each check the calls of accessors that it serves beside its sites
	Flags     []string      // the variables that Text declares
	Gathers   []string      // the variables that gather elements in the loop
	Arrays    []string      // nil, or for each of Gathers the array of its elements; see splice.Insert
	Calls     []splice.Call // calls that make no checks while the flag is set
}

// A Load is a call of an accessor, a function of another package that reads or writes bytes of
// its argument and makes their checks there. The call is no site.
type Load struct {
	Key  ssapass.Key // names the call
	File string      // the file of the call, without line directives
}

// A Redirect is a call that goes to a copy of the called function, and makes no checks of the
// function's sites, or one check of several accesses. Their accesses cannot race in this call, or the checks of other sites cover them there.
type Redirect struct {
	Pass  string
	Pkg   string // import path
	File  string // the file of the call, without line directives
	Call  splice.Call
	Sites []int // of the called function
	// By has the covers of each site, all in the caller or its callees. It is nil if the accesses
	// cannot race, or if the copy that another call goes to covers them.
	By [][]int
	// Wide, if not -1, is the site of the called function whose check the copy makes: of Len bytes
	// that begin Back bytes before the access.
	Wide      int
	Back, Len int64
	For       []int // with Wide: the sites that the check covers in other calls
	With      int   // if not -1, the site Wide of an earlier call, whose copy makes the check
}

// A Borrower is a function that gets a copy for callers whose task owns the memory to which the first
// operand points; see splice.Borrower.
type Borrower struct {
	Pass  string
	Pkg   string // import path
	File  string // the file of the function, without line directives
	Func  site.Pos
	Sites []int      // whose checks the copy lacks
	Lent  []site.Pos // the calls in this copy that go to copies
}

// A Leak is a statement behind which other code may know an object of a pooled type (Fate.Pooled).
type Leak struct {
	Pkg  string // import path
	File string // without line directives
	At   site.Pos
	Type string
	// Writer is a variable whose method Write gets an array of the object, "" if it is another leak.
	Writer string
}

// A QuietLoad is an atomic load whose operation the detector orders, and does not record, unless another package of the program overwrites
// values of a struct type.
type QuietLoad struct {
	Pkg  string   // import path
	File string   // without line directives
	At   site.Pos // of the parenthesis of the call
	Type string   // of the package
}

// A Lent is a call that goes to the copy of a Borrower, of its package or of an imported one.
type Lent struct {
	Pkg  string // import path of the caller
	File string // the file of the call, without line directives
	At   site.Pos
}
