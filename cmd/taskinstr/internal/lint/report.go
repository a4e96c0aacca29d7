package lint

import (
	"cmp"
	"fmt"
	"slices"
)

// A Fate says what becomes of a site's check.
type Fate string

// The fates, as they are printed.
const (
	Kept    Fate = "kept"
	Removed Fate = "removed"
	Guarded Fate = "guarded"
)

// A Place is a position as users write it: the path relative to the working
// directory where it lies below, line directives applied.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"` // in bytes, from 1
}

func (p Place) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// A Site is one access with its fate.
type Site struct {
	Place
	Access  string  `json:"access"` // "read", "write" or, unknown to the analysis, "access"
	Expr    string  `json:"expr"`
	Elems   bool    `json:"elements,omitempty"` // of the elements behind Expr
	Func    string  `json:"func,omitempty"`     // the declaration around it; "" in an initializer of a package
	Package string  `json:"package"`
	Fate    Fate    `json:"fate"`
	Pass    string  `json:"pass,omitempty"` // that decided; "" if kept
	Reason  string  `json:"reason,omitempty"`
	By      *Place  `json:"covered_by,omitempty"` // the site whose check stands for it
	abs     string  // the file as the analysis names it
	source  *source // its text; nil if unknown
	by      *Site   // By, if it is listed
}

// What names the access: "read of acct.balance".
func (s *Site) What() string {
	if s.Elems {
		return s.Access + " of the elements of " + s.Expr
	}
	return s.Access + " of " + s.Expr
}

// Verdict is what follows the access in a line of text.
func (s *Site) Verdict() string {
	why := s.Reason
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

// A Report is what one run has to say.
type Report struct {
	Passes []string // that were run, in their order
	Doc    map[string]string
	Sites  []*Site // in the order of packages, files and positions
	Dir    string  // the working directory, absolute
	Notes  []string
}

// sort puts the sites in order.
func (r *Report) sort() {
	slices.SortStableFunc(r.Sites, func(a, b *Site) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column), cmp.Compare(len(a.Expr), len(b.Expr)), cmp.Compare(a.Expr, b.Expr),
			cmp.Compare(a.Access, b.Access))
	})
}
