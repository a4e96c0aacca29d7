package accesses

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// A Count is the number of differences of one class.
type Count struct {
	Only    string `json:"only"`
	Class   string `json:"class"`
	Reads   int    `json:"reads"`
	Writes  int    `json:"writes"`
	Atomics int    `json:"atomics"`
	Example string `json:"example"` // position of the first difference
	Reason  string `json:"reason"`
}

func (c Count) total() int { return c.Reads + c.Writes + c.Atomics }

// counts returns the number of known differences of each class, the most frequent class
// first.
func (a *Audit) counts() []Count {
	type key struct{ only, class string }
	sums := map[key]*Count{}
	var list []Count
	for _, d := range a.Differences {
		if d.Class == "" {
			continue
		}
		k := key{d.Only, d.Class}
		if sums[k] == nil {
			sums[k] = &Count{Only: d.Only, Class: d.Class, Example: d.Position}
			for _, cl := range Classes() {
				if cl.Name == d.Class {
					sums[k].Reason = cl.Reason
					break
				}
			}
		}
		switch d.Kind {
		case Read:
			sums[k].Reads++
		case Write:
			sums[k].Writes++
		case Atomic:
			sums[k].Atomics++
		}
	}
	for _, c := range sums {
		list = append(list, *c)
	}
	slices.SortFunc(list, func(x, y Count) int {
		return cmp.Or(-strings.Compare(x.Only, y.Only), y.total()-x.total(), strings.Compare(x.Class, y.Class))
	})
	return list
}

// unexplained returns the number of differences that belong to no class.
func (a *Audit) unexplained() (n int) {
	for _, d := range a.Differences {
		if d.Class == "" {
			n++
		}
	}
	return n
}

func (a *Audit) writeJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(struct {
		*Audit
		Classes     []Count `json:"classes"`
		Unexplained int     `json:"unexplained"`
	}{a, a.counts(), a.unexplained()})
}

// writeText prints the unexplained differences, or with all set every difference, then a
// table of classes and the closing line.
func (a *Audit) writeText(out io.Writer, all bool) error {
	w := bufio.NewWriter(out)
	for _, d := range a.Differences {
		if all || d.Class == "" {
			fmt.Fprintln(w, d)
		}
	}
	for _, p := range a.Skipped {
		fmt.Fprintf(w, "%s: not compared, it needs cgo\n", p)
	}
	for _, p := range a.ByLine {
		fmt.Fprintf(w, "%s: compared line by line, since the compiler fails with a line for each token\n", p)
	}
	for _, f := range a.Failed {
		fmt.Fprintf(w, "not compared: %s\n", strings.TrimSpace(f))
	}
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	section := ""
	known := 0
	for _, c := range a.counts() {
		head := "only the compiler, known:"
		if c.Only == checksOnly {
			head = "only the checks, known:"
		}
		if head != section {
			t.Flush()
			fmt.Fprintln(w, head)
			section = head
		}
		if c.Only == compilerOnly {
			known += c.total()
		}
		fmt.Fprintf(t, "  %d\t%s\t%s\n", c.total(), c.Class, c.Reason)
	}
	t.Flush()
	fmt.Fprintf(w, "%d packages, %d accesses: %d checked, %d known differences, %d unexplained\n",
		a.Packages, a.Compiler, a.Matched, known, a.unexplained())
	return w.Flush()
}

// String returns the line that shows the difference.
func (d Difference) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: only the %s: %s", d.Position, d.Only, d.Kind)
	if d.Expr != "" {
		fmt.Fprintf(&b, " of %s", d.Expr)
	}
	if d.Function != "" {
		fmt.Fprintf(&b, " in %s", d.Function)
	}
	var more []string
	for _, s := range []string{d.Node, d.Call} {
		if s != "" {
			more = append(more, s)
		}
	}
	if len(more) > 0 {
		fmt.Fprintf(&b, " (%s)", strings.Join(more, ", "))
	}
	if d.Class != "" {
		fmt.Fprintf(&b, " [%s]", d.Class)
	}
	return b.String()
}

// writeClasses prints the classes with their reasons.
func writeClasses(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	for _, c := range Classes() {
		fmt.Fprintf(w, "%s\t%s\n", c.Name, c.Reason)
	}
	w.Flush()
}
