package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"taskinstr/internal/executed"
)

// A checked has the executed checks of one program in some modes.
type checked struct {
	Kernel   string                     `json:"kernel"`
	Total    map[mode]executed.Count    `json:"total"`
	profiles map[mode]*executed.Profile // of Total
}

// compareChecks builds the programs so that they count their executed checks by site, runs each
// once in each mode, and prints the tables.
func compareChecks(ctx context.Context, o options, subjects []subject) error {
	var list []*checked
	failed := 0
	for _, s := range subjects {
		fmt.Fprintf(os.Stderr, "compare: %s\n", s.name)
		c, err := o.checksOf(ctx, s)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "compare: %s: %v\n", s.name, err)
			failed++
			continue
		}
		list = append(list, c)
	}
	if o.json {
		enc := json.NewEncoder(os.Stdout)
		enc.SetIndent("", "\t")
		if err := enc.Encode(list); err != nil {
			return err
		}
	} else {
		printChecks(os.Stdout, o, list)
	}
	if o.csv != "" {
		if err := writeCSV(o.csv, "one run of each", checksCSV(o.modes, list)); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d programs failed", failed, len(subjects))
	}
	return nil
}

// checksOf counts the checks of one program.
func (o *options) checksOf(ctx context.Context, s subject) (*checked, error) {
	defer s.done()
	programs, errs := s.build(ctx)
	c := &checked{s.name, map[mode]executed.Count{}, map[mode]*executed.Profile{}}
	for _, m := range o.modes {
		if errs[m] != nil {
			return nil, fmt.Errorf("%s: %w", m, errs[m])
		}
		name := filepath.Join(o.keep, fmt.Sprintf("%s-%s.checks", strings.ReplaceAll(s.name, "/", "-"), m))
		if _, err := one(ctx, programs[m], "TASKINSTR=checks="+name); err != nil {
			return nil, fmt.Errorf("%s: %w", m, err)
		}
		p, err := executed.ReadFile(name)
		if err != nil {
			return nil, err
		}
		c.profiles[m], c.Total[m] = p, p.Total()
	}
	return c, nil
}

// checksCSV returns the thousands of executed and new checks in the first mode, and those in the other modes as shares of them.
func checksCSV(modes []mode, list []*checked) [][]string {
	row := []string{"program", "checks", "new"}
	for _, m := range modes[1:] {
		row = append(row, string(m), string(m)+"_new")
	}
	rows := [][]string{row}
	for _, c := range list {
		first := c.Total[modes[0]]
		row := []string{c.Kernel, fmt.Sprint(first.Executed / 1000), fmt.Sprint(first.New / 1000)}
		for _, m := range modes[1:] {
			row = append(row, figure("%.3f", float64(c.Total[m].Executed), float64(first.Executed)), figure("%.3f", float64(c.Total[m].New), float64(first.New)))
		}
		rows = append(rows, row)
	}
	return rows
}

// printChecks writes, for each program and mode, the executed checks; and for the last mode the
// shares of the classes of checks, as means over the programs. Checks of a task that is alone have
// no part in the shares.
func printChecks(w io.Writer, o options, list []*checked) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(tw, "thousands of checks\t")
	for _, m := range o.modes {
		fmt.Fprintf(tw, "%s: executed\tlone\tnew\t", m)
	}
	fmt.Fprintln(tw)
	for _, c := range list {
		fmt.Fprintf(tw, "%s\t", c.Kernel)
		for _, m := range o.modes {
			t := c.Total[m]
			fmt.Fprintf(tw, "%d\t%d\t%d\t", t.Executed/1000, t.Lone/1000, t.New/1000)
		}
		fmt.Fprintln(tw)
	}
	tw.Flush()
	last := o.modes[len(o.modes)-1]
	for _, by := range classifications {
		fmt.Fprintf(w, "\n%s\n", by.title)
		tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(tw, "executed\tnew\tmost new in\t")
		for _, s := range shares(list, last, by.of) {
			fmt.Fprintf(tw, "%.1f %%\t%.1f %%\t%s %.0f %%\t  %s\n", 100*s.executed, 100*s.fresh, s.most, 100*s.mostNew, s.class)
		}
		tw.Flush()
	}
}

// A share is the part of the executed and of the new checks that a class has, in the mean of all
// programs.
type share struct {
	class           string
	executed, fresh float64
	most            string // the program with the greatest share of new checks
	mostNew         float64
}

// shares returns the classes, those with most new checks first.
func shares(list []*checked, m mode, class func(*executed.Check) string) []*share {
	by := map[string]*share{}
	for _, c := range list {
		total, own := c.Total[m], map[string]executed.Count{}
		for _, x := range c.profiles[m].Checks {
			k := class(x)
			n := own[k]
			n.Add(x.Count)
			own[k] = n
		}
		own["no known site"] = c.profiles[m].Other
		for k, n := range own {
			s := by[k]
			if s == nil {
				s = &share{class: k}
				by[k] = s
			}
			if d := total.Executed - total.Lone; d > 0 {
				s.executed += float64(n.Executed-n.Lone) / float64(d) / float64(len(list))
			}
			if total.New > 0 {
				f := float64(n.New) / float64(total.New)
				s.fresh += f / float64(len(list))
				if f >= s.mostNew {
					s.most, s.mostNew = c.Kernel, f
				}
			}
		}
	}
	return slices.SortedFunc(maps.Values(by), func(a, b *share) int {
		return cmp.Or(cmp.Compare(b.fresh, a.fresh), strings.Compare(a.class, b.class))
	})
}

// A classification puts each check into one class.
type classification struct {
	title string
	of    func(*executed.Check) string
}

var classifications = []classification{
	{"by what the plan decided", func(c *executed.Check) string {
		switch {
		case c.Fate == "":
			if strings.HasPrefix(c.What, "elements") {
				return "ranges of elements, in front of a loop"
			}
			return "no plan speaks of the check"
		case c.Fate == "guarded":
			return "guarded: " + c.Notes[0].Pass
		case c.Note("plan") != "":
			return "kept: " + executed.Class(c.Note("plan"))
		}
		return c.Fate
	}},
	{"by what is accessed", func(c *executed.Check) string { return accessed(c.What) }},
	{"by package", func(c *executed.Check) string {
		if first, _, _ := strings.Cut(c.Package, "/"); !strings.Contains(first, ".") && first != "main" && first != "recipe" {
			return "std"
		}
		return "modules"
	}},
	{"kept: why its memory may be shared (escape)", noted("escape")},
	{"kept: how others may know its memory (escape)", func(c *executed.Check) string {
		if _, how, ok := strings.Cut(c.Note("escape"), ": "); ok {
			return how
		}
		return "not kept, or no word of escape"
	}},
	{"kept: why others may write it (readonly)", noted("readonly")},
	{"kept: why no earlier check covers it (dominate)", noted("dominate")},
}

// noted classifies by a pass's note.
func noted(pass string) func(*executed.Check) string {
	return func(c *executed.Check) string {
		if n := c.Note(pass); n != "" {
			return executed.Class(n)
		}
		return "not kept, or no word of " + pass
	}
}

// accessed returns the kind of a declared thing.
func accessed(what string) string {
	kind, _, _ := strings.Cut(what, " ")
	if kind == "" {
		return "unknown"
	}
	return kind
}
