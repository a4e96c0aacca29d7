package lint

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"taskinstr/cmd/internal/terminal"
	"taskinstr/cmd/taskinstr/internal/frequency"
	"taskinstr/optimize/builder"
)

// The digest is the default output: the functions whose checks are executed most, and for
// each check that is left the reason and the change with which it would go.

// A Function is a function with the checks that are left in it.
type Function struct {
	Package string  `json:"package"`
	Name    string  `json:"name"` // "" for the initializers of the package's variables
	File    string  `json:"file"`
	Line    int     `json:"line"`
	Sites   int     `json:"sites"`
	Kept    int     `json:"kept"` // executed at each access
	Guarded int     `json:"guarded"`
	Ignored int     `json:"ignored,omitempty"` // of the kept ones
	Weight  float64 `json:"estimate"`          // executed checks, estimated, or as the profile has them: nanoseconds of its time
	Share   float64 `json:"share"`             // of the weight of all functions

	left []*Site // sites with checks that are executed, by weight, largest first
}

// executed reports whether the program executes a check of its own at a kept site.
func (s *Site) executed() bool {
	return s.Fate == Kept && s.Reason != builder.NeverRuns && s.Reason != builder.WithWrite && s.Reason != builder.NoCheck
}

// weight orders sites: by what a profile says, if there is one, else by the estimate.
func (r *Report) weight(s *Site) float64 {
	switch {
	case r.Profile == nil:
		return s.Estimate
	case r.Profile.Unit == unitChecks:
		return float64(s.Executed)
	}
	return s.Time
}

// often writes how often the check of a site is executed, or how long; "" if a profile knows
// nothing of it.
func (r *Report) often(s *Site) string {
	switch {
	case r.Profile == nil:
		return timesText(s.Estimate, "time", "times")
	case r.weight(s) == 0:
		return ""
	case r.Profile.Unit == unitChecks:
		return grouped(fmt.Sprint(s.Executed)) + " times"
	}
	return fmt.Sprintf("%.0f ms", s.Time/1e6)
}

// functions returns the functions of the report in the order of their weights.
func (r *Report) functions() []*Function {
	type id struct{ pkg, file, name string }
	index := map[id]*Function{}
	list := []*Function{}
	total := 0.0
	for _, s := range r.Sites {
		k := id{s.Package, s.File, s.Func}
		f := index[k]
		if f == nil {
			f = &Function{Package: s.Package, Name: s.Func, File: s.File, Line: s.Line}
			if s.function != nil {
				f.Line = s.function.Start.Line
			}
			index[k], list = f, append(list, f)
		}
		f.Sites++
		if s.Fate == Guarded {
			f.Guarded++
			// An estimate knows only checks that are executed each time.
			if r.Profile != nil && r.weight(s) > 0 && s.Ignored == "" {
				f.Weight += r.weight(s)
				total += r.weight(s)
				f.left = append(f.left, s)
			}
		}
		switch {
		case !s.executed():
		case s.Ignored != "":
			f.Kept++
			f.Ignored++
		default:
			f.Kept++
			f.Weight += r.weight(s)
			total += r.weight(s)
			f.left = append(f.left, s)
		}
	}
	for _, f := range list {
		if total > 0 {
			f.Share = f.Weight / total
		}
		slices.SortStableFunc(f.left, func(a, b *Site) int {
			return cmp.Or(cmp.Compare(r.weight(b), r.weight(a)), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
		})
	}
	slices.SortStableFunc(list, func(a, b *Function) int { return cmp.Compare(b.Weight, a.Weight) })
	return list
}

// The digest shows the functions that make up most of the executed checks, and not more
// than these numbers of functions and of checks in each.
const (
	digestShare     = 0.99
	digestFunctions = 12
	digestSites     = 8
)

// worth returns the functions that the digest shows.
func worth(list []*Function) (shown []*Function) {
	sum := 0.0
	for _, f := range list {
		if len(f.left) == 0 {
			continue
		}
		if len(shown) == digestFunctions || sum > digestShare || f.Weight == 0 {
			break
		}
		shown = append(shown, f)
		sum += f.Share
	}
	return shown
}

func (r *Report) writeDigest(w io.Writer, style terminal.Style) error {
	b := bufio.NewWriter(w)
	list := r.functions()
	shown := worth(list)
	pkg := ""
	for _, f := range shown {
		if f.Package != pkg && r.packages() > 1 {
			fmt.Fprintf(b, "%s\n", style.Paint(terminal.Bold, f.Package))
		}
		pkg = f.Package
		fmt.Fprintf(b, "%s: %s\n", style.Paint(terminal.Bold, f.title()), r.headline(f))
		r.writeSites(b, f, style)
		fmt.Fprintln(b)
	}
	r.writeRest(b, list, shown)
	if err := r.writePackages(b, list); err != nil {
		return err
	}
	if r.Profile == nil {
		fmt.Fprintf(b, "The numbers are estimates: a loop without constant bounds counts %d iterations.\n", frequency.UnknownTrips)
		fmt.Fprintln(b, "-profile=FILE takes a profile instead; -all lists every access; taskinstr help lint has more.")
	} else {
		fmt.Fprintf(b, "%s; -all lists every access.\n", r.Profile.text())
	}
	for _, n := range r.Notes {
		fmt.Fprintln(b, n)
	}
	return b.Flush()
}

// title names the function and its place.
func (f *Function) title() string {
	return fmt.Sprintf("%s (%s:%d)", cmp.Or(f.Name, "initial values"), f.File, f.Line)
}

func (r *Report) headline(f *Function) string {
	left := fmt.Sprintf("%d of %s checked each time", f.Kept, count(f.Sites, "access", "accesses"))
	switch {
	case r.Profile == nil:
	case r.Profile.Unit == unitChecks:
		return fmt.Sprintf("%s, %s checks (%.0f %%)", left, grouped(fmt.Sprintf("%.0f", f.Weight)), 100*f.Share)
	default:
		return fmt.Sprintf("%s, %.0f %% of the time in checks", left, 100*f.Share)
	}
	return fmt.Sprintf("%s, %s (%.0f %%)", left, timesText(f.Weight, "check", "checks"), 100*f.Share)
}

// writeSites prints the checks that are left in a function. Neighbours with the same advice share it.
func (r *Report) writeSites(w io.Writer, f *Function, style terminal.Style) {
	alike := 0 // neighbours with the same advice
	for i, s := range f.left {
		alike++
		if i == digestSites || i > 0 && r.weight(s) == 0 {
			fmt.Fprintf(w, "  and %s\n", count(len(f.left)-i, "more", "more"))
			return
		}
		often := r.often(s)
		if often != "" {
			often = ", " + often
		}
		why := s.Reason
		if s.Fate == Guarded {
			why = s.Verdict()
		}
		fmt.Fprintf(w, "  %s: %s%s: %s\n", s.Place, s.Subject(), often, why)
		last := i+1 == len(f.left) || i+1 == digestSites || f.left[i+1].Advice != s.Advice || r.weight(f.left[i+1]) == 0
		if !last {
			continue
		}
		what := "change:"
		if alike > 1 {
			what = fmt.Sprintf("change for these %d:", alike)
		}
		if s.Advice != "" {
			fmt.Fprintf(w, "    %s %s\n", style.Paint(terminal.Yellow, what), s.Advice)
		}
		alike = 0
	}
}

// writeRest says what the digest leaves out.
func (r *Report) writeRest(w io.Writer, list, shown []*Function) {
	functions, checks, share := 0, 0, 0.0
	for _, f := range list {
		if len(f.left) > 0 && !slices.Contains(shown, f) {
			functions++
			checks += len(f.left)
			share += f.Share
		}
	}
	if functions > 0 {
		fmt.Fprintf(w, "%s more with %s left, %.1f %% together\n\n", count(functions, "function", "functions"), count(checks, "check", "checks"), 100*share)
	}
}

func (r *Report) packages() int {
	seen := map[string]bool{}
	for _, s := range r.Sites {
		seen[s.Package] = true
	}
	return len(seen)
}

// writePackages prints a line for each package, and the total.
func (r *Report) writePackages(w io.Writer, list []*Function) error {
	type row struct {
		f         Function
		functions int
		touched   int // functions with checks that are executed each time
	}
	var order []string
	rows := map[string]*row{}
	all := &row{}
	for _, f := range list {
		p := rows[f.Package]
		if p == nil {
			p = new(row)
			rows[f.Package], order = p, append(order, f.Package)
		}
		for _, x := range []*row{p, all} {
			x.functions++
			if f.Kept > 0 {
				x.touched++
			}
			x.f.Sites += f.Sites
			x.f.Kept += f.Kept
			x.f.Guarded += f.Guarded
			x.f.Ignored += f.Ignored
			x.f.Weight += f.Weight
			x.f.Share += f.Share
		}
	}
	if len(order) == 0 {
		_, err := fmt.Fprintln(w, "no access of the packages has a check")
		return err
	}
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(rows[b].f.Weight, rows[a].f.Weight) })
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "accesses\tchecked each time\tguarded\tignored\tfunctions with checks\tshare\t  package")
	print := func(x *row, name string) {
		fmt.Fprintf(tw, "%d\t%d\t%d\t%d\t%d of %d\t%.0f %%\t  %s\n", x.f.Sites, x.f.Kept, x.f.Guarded, x.f.Ignored, x.touched, x.functions, 100*x.f.Share, name)
	}
	for _, p := range order {
		print(rows[p], p)
	}
	if len(order) > 1 {
		print(all, "all")
	}
	return tw.Flush()
}

func count(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// timesText writes an estimate: about 1,200,000 times.
func timesText(n float64, one, more string) string {
	if n < 2 {
		return "about 1 " + one
	}
	if n >= 1e9 {
		return fmt.Sprintf("about %.0e %s", n, more)
	}
	// Two digits are more than an estimate is worth.
	unit := math.Pow(10, math.Max(math.Floor(math.Log10(n))-1, 0))
	return "about " + grouped(fmt.Sprintf("%.0f", math.Round(n/unit)*unit)) + " " + more
}

// grouped sets a comma between each three digits.
func grouped(digits string) string {
	var b strings.Builder
	for i, c := range digits {
		if i > 0 && (utf8.RuneCountInString(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return b.String()
}
