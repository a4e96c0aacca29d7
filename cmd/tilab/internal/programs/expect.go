package programs

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Tier is the kind of a report.
type Tier string

const (
	Race      Tier = "race"
	Predicted Tier = "predicted"
)

// Tiers of races that only detectors with more information than one run's accesses name.
// Neither go build -race nor taskinstr, as it is built here, reports them.
const (
	Feasible   Tier = "feasible"   // a branch not taken has an access, and some schedule makes the race happen
	Infeasible Tier = "infeasible" // likewise, but no schedule does
	Commuting  Tier = "commuting"  // critical sections that conflict hide the race, and may come in the other order
)

// beyond reports whether the mode reports no races of the tier.
func (m Mode) beyond(t Tier) bool {
	return t != Race && (m == StockRace || t != Predicted)
}

// Line is a position in a source file; File is a base name.
type Line struct {
	File string
	Line int
}

func (l Line) String() string { return fmt.Sprintf("%s:%d", l.File, l.Line) }

// Group is a set of lines whose accesses race with each other.
type Group struct {
	Tier    Tier
	Label   string
	NoStock bool
	Clique  bool // any two of the accesses may race, also two of one line
	Lines   []Line
	Exprs   map[Line]string
}

// allows reports whether a report of the two lines belongs to the group.
func (g *Group) allows(a, b Line) bool {
	if g.Clique {
		return slices.Contains(g.Lines, a) && slices.Contains(g.Lines, b)
	}
	first, last := g.Lines[0], g.Lines[len(g.Lines)-1]
	return a == first && b == last || a == last && b == first
}

func (g *Group) String() string {
	s := make([]string, len(g.Lines))
	for i, l := range g.Lines {
		s[i] = l.String()
	}
	return string(g.Tier) + " of " + strings.Join(s, ", ")
}

// Case is one case of a program with its expected reports.
type Case struct {
	Name    string
	Groups  []*Group
	NoStock bool // go build -race is wrong about the case

	// NoSchedule means a race that is missed under a schedule.
	NoSchedule bool
}

// Expects reports whether the case must have a report of this tier.
func (c *Case) Expects(t Tier, stock bool) bool {
	for _, g := range c.Groups {
		if g.Tier == t && !(stock && g.NoStock) {
			return true
		}
	}
	return false
}

var (
	wantRE  = regexp.MustCompile(`// want(?: |\()(?:([\w/-]+)\) )?(race|predicted|feasible|infeasible|commuting)(s?)(?: (\d+))?( nostock)?: `)
	wantAny = regexp.MustCompile(`// want\b`)
)

// Cases reads the cases of the package in dir in the order of its files. A
// want comment that is ill-formed or belongs to no case is an error.
func Cases(dir string) ([]*Case, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	p := expectations{byName: map[string]*Case{}, params: map[string][2]int{}}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if err := p.scan(name, src); err != nil {
			return nil, err
		}
	}
	return p.finish(dir)
}

type expectations struct {
	cases  []*Case
	byName map[string]*Case
	late   []want // of helpers, whose case may be in a later file
	params map[string][2]int
}

type want struct {
	caseName, label, expr string
	tier                  Tier
	clique, noStock       bool
	line                  Line
}

func (p *expectations) scan(name string, src []byte) error {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	type span struct {
		first, last int
		name        string
	}
	var spans []span
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		c := caseName(f, strings.HasSuffix(name, "_test.go"))
		if c == "" {
			continue
		}
		if p.byName[c] != nil {
			return fmt.Errorf("%s: case %s is declared twice", fset.Position(f.Pos()), c)
		}
		if f.Type.Params.NumFields() > 0 && f.Recv != nil {
			r, err := paramRange(f)
			if err != nil {
				return fmt.Errorf("%s: %w", fset.Position(f.Pos()), err)
			}
			p.params[c] = r
		}
		cs := &Case{Name: c, NoStock: noStockRE.MatchString(directives(f)), NoSchedule: noScheduleRE.MatchString(directives(f))}
		p.byName[c] = cs
		p.cases = append(p.cases, cs)
		spans = append(spans, span{fset.Position(f.Pos()).Line, fset.Position(f.End()).Line, c})
	}
	for _, cg := range file.Comments {
		for _, cm := range cg.List {
			pos := fset.Position(cm.Pos())
			list, err := wants(cm.Text, Line{filepath.Base(name), pos.Line})
			if err != nil {
				return fmt.Errorf("%s: %w", pos, err)
			}
			for _, w := range list {
				if w.caseName == "" {
					for _, s := range spans {
						if s.first <= pos.Line && pos.Line <= s.last {
							w.caseName = s.name
						}
					}
				}
				if w.caseName == "" {
					return fmt.Errorf("%s: the expectation stands in no case and names none", pos)
				}
				p.late = append(p.late, w)
			}
		}
	}
	return nil
}

// wants returns the expectations in a comment at a line.
func wants(comment string, line Line) (list []want, err error) {
	starts := wantRE.FindAllStringIndex(comment, -1)
	if len(starts) != len(wantAny.FindAllString(comment, -1)) {
		return nil, fmt.Errorf("cannot read %q", comment)
	}
	for i, at := range starts {
		end := len(comment)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		m := wantRE.FindStringSubmatch(comment[at[0]:at[1]])
		list = append(list, want{
			caseName: m[1], tier: Tier(m[2]), clique: m[3] != "", label: m[4], noStock: m[5] != "",
			expr: strings.TrimSpace(comment[at[1]:end]), line: line,
		})
	}
	return list, nil
}

func (p *expectations) finish(dir string) ([]*Case, error) {
	for _, w := range p.late {
		c := p.byName[w.caseName]
		if c == nil {
			return nil, fmt.Errorf("%s: %s: no case is called %s", dir, w.line, w.caseName)
		}
		var g *Group
		for _, h := range c.Groups {
			if h.Tier == w.tier && h.Label == w.label {
				g = h
			}
		}
		if g == nil {
			g = &Group{Tier: w.tier, Label: w.label, NoStock: w.noStock, Clique: w.clique, Exprs: map[Line]string{}}
			c.Groups = append(c.Groups, g)
		}
		g.NoStock = g.NoStock || w.noStock
		g.Lines = append(g.Lines, w.line)
		g.Exprs[w.line] = w.expr
	}
	for _, c := range p.cases {
		for _, g := range c.Groups {
			if !g.Clique && len(g.Lines) > 2 {
				return nil, fmt.Errorf("%s: case %s: %s is no pair: write races", dir, c.Name, g)
			}
		}
		switch label, _, ok := strings.Cut(c.Name, "/"); {
		case !ok: // a test function may expect a race or none
		case label == "fixed" || label == "clean":
			if len(c.Groups) != 0 {
				return nil, fmt.Errorf("%s: case %s expects a race", dir, c.Name)
			}
		case len(c.Groups) == 0:
			return nil, fmt.Errorf("%s: case %s expects nothing", dir, c.Name)
		}
	}
	return p.expand()
}

// expand replaces a case that takes a number by one case for each number.
func (p *expectations) expand() ([]*Case, error) {
	var out []*Case
	for _, c := range p.cases {
		r, ok := p.params[c.Name]
		if !ok {
			out = append(out, c)
			continue
		}
		for k := r[0]; k <= r[1]; k++ {
			numbered := *c
			numbered.Name = fmt.Sprintf("%s(%d)", c.Name, k)
			out = append(out, &numbered)
		}
	}
	return out, nil
}

var (
	rangeRE   = regexp.MustCompile(`(?m)^//case:range (\d+)\.\.(\d+)$`)
	noStockRE = regexp.MustCompile(`(?m)^//case:nostock$`)

	noScheduleRE = regexp.MustCompile(`(?m)^//case:noschedule$`)
)

// directives returns the lines of the comment above a function.
func directives(f *ast.FuncDecl) string {
	var b strings.Builder
	if f.Doc != nil {
		for _, c := range f.Doc.List {
			b.WriteString(c.Text + "\n")
		}
	}
	return b.String()
}

// paramRange reads the directive "//case:range 2..21" above a case that takes a number.
func paramRange(f *ast.FuncDecl) ([2]int, error) {
	if m := rangeRE.FindStringSubmatch(directives(f)); m != nil {
		lo, _ := strconv.Atoi(m[1])
		hi, _ := strconv.Atoi(m[2])
		return [2]int{lo, hi}, nil
	}
	return [2]int{}, fmt.Errorf("case %s takes a number and has no directive such as //case:range 2..21", f.Name.Name)
}

// caseName returns the name of the case that a function defines, "" if it defines none.
func caseName(f *ast.FuncDecl, test bool) string {
	if test {
		if f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") && f.Name.Name != "TestMain" {
			return f.Name.Name
		}
		return ""
	}
	if f.Recv == nil || !f.Name.IsExported() {
		return ""
	}
	if id, ok := f.Recv.List[0].Type.(*ast.Ident); ok && labels[id.Name] != "" {
		return labels[id.Name] + "/" + f.Name.Name
	}
	return ""
}

// labels maps the receiver's type to the label of a case in a main package.
var labels = map[string]string{
	"racy": "racy", "fixed": "fixed",
	"predicted": "predicted", "branchFeasible": "branch-feasible", "branchInfeasible": "branch-infeasible", "clean": "clean",
}
