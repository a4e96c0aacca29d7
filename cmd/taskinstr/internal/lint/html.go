package lint

import (
	"bufio"
	_ "embed"
	"html/template"
	"io"
	"slices"
	"strings"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// An htmlFile is one file of the page.
type htmlFile struct {
	Name                          string
	Sites, Kept, Removed, Guarded int
	Text                          template.HTML
}

// writeHTML prints one page with the source of all files, in which each access has the
// colour of its fate. The page needs no other file.
func (r *Report) writeHTML(w io.Writer, o *options) error {
	var table strings.Builder
	if err := r.writeSummary(&table); err != nil {
		return err
	}
	data := struct {
		Summary, Passes string
		Files           []htmlFile
	}{Summary: table.String(), Passes: strings.Join(r.Passes, ", ")}
	if !o.summary {
		byFile := map[string][]*Site{}
		var names []string
		for _, s := range r.Sites {
			if byFile[s.File] == nil {
				names = append(names, s.File)
			}
			byFile[s.File] = append(byFile[s.File], s)
		}
		for _, name := range names {
			sites := byFile[name]
			f := htmlFile{Name: name, Text: template.HTML(colored(sites))}
			n := Count{ByPass: map[string]int{}}
			for _, s := range sites {
				n.add(s)
			}
			f.Sites, f.Kept, f.Removed, f.Guarded = n.Sites, n.Kept, n.Removed, n.Guarded
			data.Files = append(data.Files, f)
		}
	}
	b := bufio.NewWriter(w)
	if err := page.Execute(b, data); err != nil {
		return err
	}
	return b.Flush()
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
// front of the lines.
func colored(sites []*Site) string {
	src := sites[0].source
	if src == nil {
		var b strings.Builder
		for _, s := range sites {
			template.HTMLEscape(&b, []byte(s.Place.String()+": "+s.Subject()+": "+s.Verdict()+"\n"))
		}
		return b.String()
	}
	var b strings.Builder
	var open []span
	start := func(s span) {
		b.WriteString(`<span class="` + string(s.fate) + `" title="` + template.HTMLEscapeString(s.title) + `">`)
	}
	// An element must not cross the end of a line, since the number of the next line is not
	// part of it.
	line := func() {
		b.WriteString(strings.Repeat("</span>", len(open)))
		b.WriteString("</li>\n<li>")
		for _, s := range open {
			start(s)
		}
	}
	next := spans(sites)
	b.WriteString("<ol><li>")
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
