package preview

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"taskinstr/internal/site"
	"taskinstr/internal/splice"
	"taskinstr/ssapass"
)

// A row names what one check is about, as a package's table of sites does:
// whether it is a read or a write is not part of it.
type row struct {
	file      string
	line, col int
	expr      string
}

// A class of accesses: what a site's key has beside a row.
type class struct{ write, elems bool }

var classes = []class{{false, false}, {true, false}, {false, true}, {true, true}}

// A table counts the checks of a package.
type table struct {
	rows map[row]int
	what map[row]string // the declared thing
	lost int            // decisions of the plan that were not carried out
}

// A baseline says what splicing checks where no plan leaves it out.
type baseline struct {
	known map[class]map[row]bool // checks that a plan can speak of
	fixed map[row]string         // those that it cannot, with what they are about
}

// baselineOf finds the checks of a package that a plan decides: those that are
// gone when it leaves out all accesses of one class that the analysis knows.
func baselineOf(p *ssapass.Program, pkg *packages.Package, sites []*ssapass.Site) (*baseline, error) {
	all, err := spliced(p, pkg, nil)
	if err != nil {
		return nil, err
	}
	b := &baseline{known: map[class]map[row]bool{}, fixed: map[row]string{}}
	rest := maps.Clone(all.rows)
	for _, c := range classes {
		without, err := spliced(p, pkg, omitting(p, pkg, sites, c))
		if err != nil {
			return nil, err
		}
		b.known[c] = map[row]bool{}
		for r, n := range all.rows {
			if gone := n - without.rows[r]; gone > 0 {
				b.known[c][r] = true
				rest[r] -= gone
			}
		}
	}
	for r, n := range rest {
		if n > 0 {
			b.fixed[r] = all.what[r]
		}
	}
	return b, nil
}

// omitting is a plan that leaves out all sites of one class.
func omitting(p *ssapass.Program, pkg *packages.Package, sites []*ssapass.Site, c class) *splice.Plan {
	plan := &splice.Plan{Files: map[string]string{}, Fates: map[site.Key]splice.Fate{}}
	for _, name := range pkg.CompiledGoFiles {
		if text, ok := p.Text(name); ok {
			plan.Files[filepath.Base(name)] = site.Digest(text)
		}
	}
	for _, s := range sites {
		if k := s.Key; k.Write == c.write && k.Elems == c.elems {
			plan.Fates[site.Key{File: filepath.Base(k.File), Line: k.Line, Col: k.Col, Expr: k.Expr, Write: k.Write, Elems: k.Elems}] = splice.Fate{Omit: true}
		}
	}
	return plan
}

// tableStart matches the declaration of the table (docs/architecture.md, section
// 2) up to the import path; the text of the table is the next string.
var tableStart = regexp.MustCompile(`\bvar _ti_sites = struct \{[^}]*\}\{\w+, `)

// config returns what splicing a package needs.
func config(p *ssapass.Program, pkg *packages.Package, plan *splice.Plan) (splice.Config, error) {
	c := splice.Config{Fset: p.Fset, Path: pkg.PkgPath, Pkg: pkg.Types, Info: pkg.TypesInfo, Files: pkg.Syntax, Plan: plan}
	if pkg.Module != nil && pkg.Module.GoVersion != "" {
		c.GoVersion = "go" + pkg.Module.GoVersion
	}
	for _, name := range pkg.CompiledGoFiles {
		text, ok := p.Text(name)
		if !ok {
			return c, fmt.Errorf("%s: the text of %s is not at hand", pkg.PkgPath, name)
		}
		c.Src = append(c.Src, text)
	}
	return c, nil
}

// spliced splices the package with a plan and returns what its table lists.
func spliced(p *ssapass.Program, pkg *packages.Package, plan *splice.Plan) (*table, error) {
	c, err := config(p, pkg, plan)
	if err != nil {
		return nil, err
	}
	r, err := splice.Package(c)
	if err != nil {
		return nil, err
	}
	out := &table{map[row]int{}, map[row]string{}, r.Stats.Unplanned}
	for _, text := range r.Files {
		at := tableStart.FindIndex(text)
		if at == nil {
			continue
		}
		list, err := tableText(string(text[at[1]:]))
		if err == nil {
			err = out.read(list)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: table of sites: %w", pkg.PkgPath, err)
		}
		return out, nil
	}
	if r.Stats.Checks > 0 {
		return nil, fmt.Errorf("%s: %d checks, but no table of sites", pkg.PkgPath, r.Stats.Checks)
	}
	return out, nil
}

// tableText returns the second of the string literals that the text starts
// with.
func tableText(text string) (string, error) {
	path, err := strconv.QuotedPrefix(text)
	if err != nil {
		return "", err
	}
	blob, err := strconv.QuotedPrefix(strings.TrimPrefix(text[len(path):], ", "))
	if err != nil {
		return "", err
	}
	return strconv.Unquote(blob)
}

// read adds the rows of sites. Rows whose fourth column is a word are operations that the
// runtime sees by itself: no check in the code is theirs. Other columns behind the third
// name what else a check stands for. A position may have no column.
func (t *table) read(list string) error {
	for line := range strings.Lines(list) {
		cols := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(cols) == 4 && !strings.Contains(cols[3], " ") {
			continue
		}
		if len(cols) < 3 {
			return fmt.Errorf("row %q has %d columns", line, len(cols))
		}
		rest, col, ok1 := cutNumber(cols[0])
		file, n, ok2 := cutNumber(rest)
		if !ok2 {
			file, n, col = rest, col, 0
		}
		if !ok1 {
			return fmt.Errorf("row %q has no position", line)
		}
		r := row{file, n, col, cols[1]}
		t.rows[r]++
		t.what[r] = cols[2]
	}
	return nil
}

// cutNumber takes :N off the end of s.
func cutNumber(s string) (rest string, n int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return "", 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	return s[:i], n, err == nil
}
