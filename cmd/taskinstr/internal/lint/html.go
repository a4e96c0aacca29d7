package lint

import (
	"bufio"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"taskinstr/cmd/taskinstr/internal/frequency"
)

//go:embed page.html
var pageText string

// page is parsed at its first use: the go command starts this program for each file that it compiles.
var page = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(pageText)) })

// An htmlTable is a table of sites.
type htmlTable struct {
	Often string // the head of the column of frequencies
	Rows  []htmlRow
}

// An htmlRow is one site.
type htmlRow struct {
	Anchor, Short, Access, Expr, Times, Why, Advice string
	Fate                                            Fate
	Notes                                           []Note
}

// An htmlFunction is a function with checks that are left.
type htmlFunction struct {
	htmlTable
	Title, Headline string
}

// An htmlFile is one file of the page.
type htmlFile struct {
	htmlTable
	Name                          string
	Sites, Kept, Removed, Guarded int
	Text                          template.HTML
}

// An htmlCount is a row of the table of packages.
type htmlCount struct {
	Name    string
	Numbers []int
}

// writeHTML prints one page: the packages, the functions of the digest, and the source of
// all files, in which each access has the colour of its fate. The page needs no other file.
func (r *Report) writeHTML(w io.Writer, o *options) error {
	data := struct {
		Passes    string
		PassNames []string
		Packages  []htmlCount
		Basis     string
		Functions []htmlFunction
		Notes     []string
		Files     []htmlFile
	}{Passes: strings.Join(r.Passes, ", "), PassNames: r.Passes, Packages: r.htmlCounts(), Notes: r.Notes}
	if !o.summary {
		var names []string
		byFile := map[string][]*Site{}
		anchors := map[string]string{}
		for _, s := range r.Sites {
			if byFile[s.File] == nil {
				anchors[s.File] = fmt.Sprintf("f%d", len(names))
				names = append(names, s.File)
			}
			byFile[s.File] = append(byFile[s.File], s)
		}
		data.Basis = fmt.Sprintf("In the order of executed checks, by estimate: a loop without constant bounds counts %d iterations.", frequency.UnknownTrips)
		if r.Profile != nil {
			data.Basis = r.Profile.text() + "."
		}
		for _, f := range worth(r.functions()) {
			data.Functions = append(data.Functions, htmlFunction{r.htmlTable(f.left, anchors), f.title(), r.headline(f)})
		}
		for _, name := range names {
			sites := byFile[name]
			f := htmlFile{htmlTable: r.htmlTable(sites, anchors), Name: name, Text: template.HTML(colored(sites, anchors[name]))}
			n := Count{ByPass: map[string]int{}}
			for _, s := range sites {
				n.add(s)
			}
			f.Sites, f.Kept, f.Removed, f.Guarded = n.Sites, n.Kept, n.Removed, n.Guarded
			data.Files = append(data.Files, f)
		}
	}
	b := bufio.NewWriter(w)
	if err := page().Execute(b, data); err != nil {
		return err
	}
	return b.Flush()
}

// htmlTable returns the table of the sites. anchors holds the anchor of each file.
func (r *Report) htmlTable(sites []*Site, anchors map[string]string) htmlTable {
	t := htmlTable{Often: "times"}
	if r.Profile != nil && r.Profile.Unit == unitTime {
		t.Often = "time"
	}
	for _, s := range sites {
		row := htmlRow{
			Anchor: fmt.Sprintf("%s-%d", anchors[s.File], s.Line), Short: fmt.Sprintf("%s:%d:%d", filepath.Base(s.File), s.Line, s.Column),
			Access: s.Access, Expr: s.Expr, Fate: s.Fate, Why: s.Reason, Advice: s.Advice, Notes: s.Notes,
		}
		if s.Elems {
			row.Access += " of the elements"
		}
		if s.Pass != "" {
			row.Why = s.Pass + ": " + row.Why
		}
		if s.Ignored != "" {
			row.Why += "; ignored: " + s.Ignored
		}
		if s.executed() || s.Fate == Guarded && r.Profile != nil {
			row.Times = strings.TrimSuffix(strings.TrimSuffix(r.often(s), " times"), " time")
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// htmlCounts returns the table of packages.
func (r *Report) htmlCounts() (rows []htmlCount) {
	sum := r.summary()
	row := func(name string, c *Count) {
		n := htmlCount{name, []int{c.Sites, c.Kept, c.Guarded, c.Removed}}
		for _, p := range r.Passes {
			n.Numbers = append(n.Numbers, c.ByPass[p])
		}
		rows = append(rows, n)
	}
	for _, c := range sum.Packages {
		row(c.Package, c)
	}
	if len(sum.Packages) != 1 {
		row("all", sum.Total)
	}
	return rows
}

// A span is a part of a file's text and the sites of exactly that part.
type span struct {
	start, end int
	fate       Fate
	title      string
}

// spans returns the spans of one file. Outer spans come first: each span lies within the
// previous one or behind it.
func spans(sites []*Site) []span {
	var list []span
	for _, s := range sites {
		off, ok := s.source.Offset(s.Line, s.Column)
		if !ok {
			continue
		}
		list = append(list, span{off, s.source.Extent(off, s.Expr), s.Fate, s.Subject() + ": " + s.Verdict()})
	}
	slices.SortStableFunc(list, func(a, b span) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	var out []span
	var open []int // the ends of the spans around
	for _, s := range list {
		for len(open) > 0 && open[len(open)-1] <= s.start {
			open = open[:len(open)-1]
		}
		if n := len(out); n > 0 && out[n-1].start == s.start && out[n-1].end == s.end {
			out[n-1].title += "\n" + s.title
			out[n-1].fate = heavier(out[n-1].fate, s.fate)
			continue
		}
		if len(open) > 0 {
			s.end = min(s.end, open[len(open)-1])
		}
		open = append(open, s.end)
		out = append(out, s)
	}
	return out
}

// heavier returns the fate that costs more at run time.
func heavier(a, b Fate) Fate {
	for _, f := range []Fate{Kept, Guarded} {
		if a == f || b == f {
			return f
		}
	}
	return Removed
}

// colored returns the text of the file with elements around the sites and line numbers in
// front of the lines. The anchors of the lines begin with prefix.
func colored(sites []*Site, prefix string) string {
	src := sites[0].source
	if src == nil {
		return `<p class="faint">The text of this file is not at hand.</p>`
	}
	var b strings.Builder
	var open []span
	number := 1
	start := func(s span) {
		b.WriteString(`<span class="` + string(s.fate) + `" title="` + template.HTMLEscapeString(s.title) + `">`)
	}
	// An element must not cross the end of a line, since the number of the next line is not
	// part of it.
	line := func() {
		b.WriteString(strings.Repeat("</span>", len(open)))
		number++
		fmt.Fprintf(&b, "</li>\n<li id=\"%s-%d\">", prefix, number)
		for _, s := range open {
			start(s)
		}
	}
	next := spans(sites)
	fmt.Fprintf(&b, `<ol class="source"><li id="%s-1">`, prefix)
	for i := 0; i < len(src.Text()); {
		for len(open) > 0 && open[len(open)-1].end <= i {
			open = open[:len(open)-1]
			b.WriteString("</span>")
		}
		for len(next) > 0 && next[0].start == i {
			open = append(open, next[0])
			start(next[0])
			next = next[1:]
		}
		// Write the text up to the next border as one piece, so that no character is cut.
		end := len(src.Text())
		if len(open) > 0 {
			end = min(end, open[len(open)-1].end)
		}
		if len(next) > 0 {
			end = min(end, next[0].start)
		}
		piece := string(src.Text()[i:end])
		i = end
		for k, part := range strings.Split(piece, "\n") {
			if k > 0 {
				line()
			}
			template.HTMLEscape(&b, []byte(strings.TrimSuffix(part, "\r")))
		}
	}
	b.WriteString(strings.Repeat("</span>", len(open)) + "</li></ol>")
	return b.String()
}
