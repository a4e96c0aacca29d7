package lint

import (
	"cmp"
	"fmt"
	"slices"

	"taskinstr/cmd/taskinstr/internal/excerpt"
	"taskinstr/cmd/taskinstr/internal/frequency"
)

// A Fate is a plan's decision about the check of a site.
type Fate string

// The fates, as they are printed.
const (
	Kept    Fate = "kept"
	Removed Fate = "removed"
	Guarded Fate = "guarded"
)

// A Place is a position as users write it, line directives applied. The path is relative to
// the working directory if the file is below it.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"` // in bytes, from 1
}

func (p Place) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// A Site is one access with its fate.
type Site struct {
	Place
	Access  string `json:"access"` // "read" or "write"; "access" if the analysis does not know the access
	Expr    string `json:"expr"`
	Elems   bool   `json:"elements,omitempty"` // the access is of the elements behind Expr
	Func    string `json:"func,omitempty"`     // the declaration around the access; "" in an initializer of a package
	Package string `json:"package"`
	Fate    Fate   `json:"fate"`
	Pass    string `json:"pass,omitempty"` // the pass that decided; "" if kept
	Reason  string `json:"reason,omitempty"`
	// Notes are the reasons of all passes that looked at a kept check, in the order of the
	// passes, if there are several.
	Notes []Note `json:"notes,omitempty"`
	By    *Place `json:"covered_by,omitempty"` // the site whose check covers this one
	// Advice is the change of the source with which the check would go; "" if none is known.
	Advice string `json:"advice,omitempty"`
	Loops  int    `json:"loops"` // the number of loops around the access, in its declaration
	// Estimate is how often the access is made while its package is used once (package
	// frequency). With a profile Time or Executed takes its place.
	Estimate float64 `json:"estimate"`
	// Time is the processor time of the site's checks in a profile, in nanoseconds.
	Time float64 `json:"profiled_ns,omitempty"`
	// Executed is how often a program executed the site's check, if -profile counted that.
	Executed uint64 `json:"executed,omitempty"`
	// Ignored is the reason of a comment that asks to ignore the site.
	Ignored string `json:"ignored,omitempty"`

	function *frequency.Func // nil in an initializer of a package
	loops    []*frequency.Loop
	abs      string        // the name of the file in the analysis
	source   *excerpt.File // the text of the file; nil if unknown
	by       *Site         // the site By, if the report lists it
}

// A Note is the reason of one pass for keeping a check.
type Note struct {
	Pass   string `json:"pass"`
	Reason string `json:"reason"`
}

// Subject names the access: "read of acct.balance".
func (s *Site) Subject() string {
	if s.Elems {
		return s.Access + " of the elements of " + s.Expr
	}
	return s.Access + " of " + s.Expr
}

// Verdict describes the fate and its reason, as a line of text shows them.
func (s *Site) Verdict() (verdict string) {
	why := s.Reason
	if s.Ignored != "" {
		defer func() { verdict += "; ignored: " + s.Ignored }()
	}
	if s.Fate == Kept {
		if why == "" {
			return "check kept"
		}
		return "check kept: " + why
	}
	if why != "" {
		why = ": " + why
	}
	return fmt.Sprintf("check %s (%s%s)", s.Fate, s.Pass, why)
}

// A Report is the result of one run.
type Report struct {
	Passes []string // the passes that ran, in their order
	Doc    map[string]string
	Sites  []*Site // in the order of packages, files and positions
	Dir    string  // the working directory, absolute
	Notes  []string
	// Profile orders the functions; nil: the estimates do.
	Profile *Profile
}

func (r *Report) sort() {
	slices.SortStableFunc(r.Sites, func(a, b *Site) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column), cmp.Compare(len(a.Expr), len(b.Expr)), cmp.Compare(a.Expr, b.Expr),
			cmp.Compare(a.Access, b.Access))
	})
}
