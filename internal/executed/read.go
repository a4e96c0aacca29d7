package executed

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// header is the first line of a file.
const header = "taskinstr checks 1"

// A Count has the counters of one check or of several.
type Count struct {
	Executed uint64 `json:"executed"`
	Lone     uint64 `json:"lone"`
	New      uint64 `json:"new"`
}

// Add adds the counters of d to c.
func (c *Count) Add(d Count) {
	c.Executed, c.Lone, c.New = c.Executed+d.Executed, c.Lone+d.Lone, c.New+d.New
}

// A Note is what one pass said about a check.
type Note struct {
	Pass   string `json:"pass"`
	Reason string `json:"reason"`
}

// A Check is a check with its counters.
type Check struct {
	Count
	Package  string `json:"package"`
	Position string `json:"position"` // file:line:col
	Expr     string `json:"expr"`
	What     string `json:"what"` // the declared thing, such as "field balance of Account"
	// Fate is "kept" or "guarded", "" if no plan speaks of the check.
	Fate  string `json:"fate,omitempty"`
	Notes []Note `json:"notes,omitempty"`
}

// A Profile has the checks that a program, or several, have executed.
type Profile struct {
	Checks []*Check
	Other  Count // of no known site
}

// ReadFile reads the file with this name.
func ReadFile(name string) (*Profile, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// Read reads a file of executed checks.
func Read(r io.Reader) (*Profile, error) {
	in := bufio.NewReader(r)
	line, err := in.ReadString('\n')
	if strings.TrimSuffix(line, "\n") != header {
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		return nil, fmt.Errorf("no file of executed checks: the first line is not %q; a program built with -stats=checks writes such a file for TASKINSTR=checks=FILE", header)
	}
	p, table := new(Profile), []*Check(nil)
	for n := 2; ; n++ {
		line, err := in.ReadString('\n')
		switch {
		case errors.Is(err, io.EOF):
			return nil, fmt.Errorf("the file ends in the middle: did the program end while it wrote the file?")
		case err != nil:
			return nil, err
		}
		words := strings.Fields(line)
		switch {
		case len(words) == 4 && words[0] == "other":
			p.Other, err = counts(words[1:])
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			return p, nil
		case len(words) == 3 && words[0] == "package":
			text, err := blob(in, words[2])
			if err != nil {
				return nil, fmt.Errorf("the table of package %s: %w", words[1], err)
			}
			table = rows(words[1], text)
		case len(words) == 4:
			i, err := strconv.Atoi(words[0])
			if err != nil || i < 0 || i >= len(table) {
				return nil, fmt.Errorf("%q: the package has no such site", strings.TrimSpace(line))
			}
			if table[i].Count, err = counts(words[1:]); err != nil {
				return nil, err
			}
			p.Checks = append(p.Checks, table[i])
		default:
			return nil, fmt.Errorf("%q: neither a package nor counters", strings.TrimSpace(line))
		}
	}
}

// blob reads the text of a table, whose length is given.
func blob(in io.Reader, length string) (string, error) {
	n, err := strconv.Atoi(length)
	if err != nil || n < 0 {
		return "", fmt.Errorf("%q is no length", length)
	}
	var text strings.Builder
	if _, err := io.CopyN(&text, in, int64(n)); err != nil {
		return "", fmt.Errorf("the file ends in the middle: %w", err)
	}
	return text.String(), nil
}

func counts(words []string) (c Count, err error) {
	for i, to := range []*uint64{&c.Executed, &c.Lone, &c.New} {
		if *to, err = strconv.ParseUint(words[i], 10, 64); err != nil {
			return c, fmt.Errorf("%q is no counter", words[i])
		}
	}
	return c, nil
}

// The fourth column of the lines behind the sites that say why a site has its check, and what
// separates the parts of the third.
const (
	whyLine   = "why"
	separator = " | "
)

// rows returns the sites of a table.
func rows(path, blob string) (table []*Check) {
	for line := range strings.Lines(blob) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(c) == 4 && c[0] == "" && c[3] == whyLine {
			if i, err := strconv.Atoi(c[1]); err == nil && i >= 0 && i < len(table) {
				table[i].why(c[2])
			}
			continue
		}
		for len(c) < 3 {
			c = append(c, "")
		}
		table = append(table, &Check{Package: path, Position: c[0], Expr: c[1], What: c[2]})
	}
	return table
}

// why takes the reason of a site apart.
func (c *Check) why(text string) {
	parts := strings.Split(text, separator)
	c.Fate = parts[0]
	for _, part := range parts[1:] {
		if pass, reason, ok := strings.Cut(part, ": "); ok {
			c.Notes = append(c.Notes, Note{pass, reason})
		}
	}
}

// Note returns what the pass said about the check, "" if it said nothing.
func (c *Check) Note(pass string) string {
	for _, n := range c.Notes {
		if n.Pass == pass {
			return n.Reason
		}
	}
	return ""
}

// Class returns a reason without its details.
func Class(reason string) string {
	reason, _, _ = strings.Cut(reason, ": ")
	reason, _, _ = strings.Cut(reason, " at ")
	return reason
}

// Total returns the sum of all counters.
func (p *Profile) Total() (c Count) {
	c = p.Other
	for _, x := range p.Checks {
		c.Add(x.Count)
	}
	return c
}

// A Site names a site by its row in the table.
type Site struct {
	File      string
	Line, Col int
	Expr      string
}

// Find returns a function that returns the check of a site. If the profile has several checks with
// the site's row, of instances or of several packages, their counters are added.
func (p *Profile) Find() func(Site) (*Check, bool) {
	type row struct{ position, expr string }
	rows := map[row]*Check{}
	for _, c := range p.Checks {
		k := row{c.Position, c.Expr}
		if rows[k] == nil {
			sum := *c
			rows[k] = &sum
		} else {
			rows[k].Add(c.Count)
		}
	}
	return func(s Site) (*Check, bool) {
		c := rows[row{fmt.Sprintf("%s:%d:%d", s.File, s.Line, s.Col), s.Expr}]
		return c, c != nil
	}
}
