package view

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"taskinstr/cmd/internal/exitcode"
	"taskinstr/cmd/internal/testfile"
	"taskinstr/cmd/taskinstr/internal/bench"
	"taskinstr/cmd/taskinstr/internal/explore/schedulefile"
	"taskinstr/detector/offline/detectortest"
	"taskinstr/detector/trace/report"
)

// evil is a text that runs if a page does not escape it, in each place where the page has
// texts: between elements, in an attribute, in a script.
const evil = `</script></title></style>"'><img src=x onerror=window.ran=1><svg onload=window.ran=1><script>window.ran=1</script><a href="javascript:window.ran=1">{{.}}`

const bankText = `package bank

// </script><img src=x onerror=window.ran=1><script>window.ran=1</script>
func (acct *Account) Deposit(amount int) {
	acct.mu.Lock()
	acct.größe, acct.balance = 1, acct.balance+amount // <img src=x onerror=window.ran=1>
	acct.mu.Unlock()
}

func (acct *Account) Balance() int {
	return acct.
		balance
}

func Use() {
	wg.Go(func() { acct.Deposit(1) })
	wg.Go(func() { acct.Balance() })
}
`

func bankRace(file string) report.Report {
	frame := func(function string, line int) report.Frame {
		return report.Frame{Function: function, File: file, Line: line}
	}
	std := report.Frame{Function: "sync.(*WaitGroup).Go", File: "/nowhere/sync/waitgroup.go", Line: 238}
	return report.Report{
		Type: report.TypeRace, Fingerprint: "00000000000000a1", Package: "example.com/bank", Test: "TestUse",
		Access: report.Access{
			Kind: "read", Address: "0x1", Size: 8, Expression: "acct. balance", Declared: "field balance of Account", Position: file + ":11:9", Goroutine: 8,
			Stack:   []report.Frame{frame("example.com/bank.(*Account).Balance", 11), frame("example.com/bank.Use.func2", 17)},
			Created: []report.Frame{std, frame("example.com/bank.Use", 17)},
		},
		Previous: report.Access{
			Kind: "write", Address: "0x1", Size: 8, Expression: "acct.balance", Declared: "field balance of Account", Position: file + ":6:16", Goroutine: 7, Finished: true,
			Locks:   []report.Held{{Address: "0x2", Expression: "acct.mu", Declared: "field mu of Account", Position: file + ":5:2"}},
			Stack:   []report.Frame{frame("example.com/bank.(*Account).Deposit", 6), frame("example.com/bank.Use.func1", 16)},
			Created: []report.Frame{std, frame("example.com/bank.Use", 16)},
		},
		Ancestor: report.Ancestor{Goroutine: 1},
		Why:      []string{"goroutine 7 holds acct.mu, goroutine 8 holds no lock", "goroutine 7 comes from the call at " + file + ":16"},
	}
}

// evilRace has evil in each text.
func evilRace(file string) report.Report {
	r := bankRace(file)
	r.Type, r.Fingerprint, r.Package, r.Test = report.TypePredicted, "b2"+evil, evil, evil
	for _, a := range []*report.Access{&r.Access, &r.Previous} {
		a.Kind, a.Expression, a.Declared = evil, evil, evil
		a.Also = []report.Also{{Kind: evil, Expression: evil, Position: evil + ":1:1"}}
		a.Locks = []report.Held{{Expression: evil, Declared: evil, Position: evil + ":1:1"}}
		a.Stack = []report.Frame{{Function: evil, File: evil + ".go", Line: 3}}
		a.Created = []report.Frame{{Function: evil, File: evil, Line: 3}}
		a.Branch = &report.Branch{Goroutine: 5, Created: a.Created}
	}
	r.Access.Position, r.Previous.Position = evil+":3:4", file+":3:1"
	r.Why, r.Detectors = []string{evil}, []string{evil}
	return r
}

// inputs writes one input of each kind, and returns the root of the sources and the inputs.
func inputs(t testing.TB) (root string, names []string) {
	t.Helper()
	root = t.TempDir()
	file := testfile.Write(t, filepath.Join(root, "bank", "bank.go"), bankText)
	known := bankRace(file)
	known.Known, known.Fingerprint, known.Ancestor.Goroutine = true, "00000000000000c3", known.Access.Goroutine
	var b strings.Builder
	object := func(v any) {
		line, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	object(bankRace(file))
	object(bankRace(file))
	object(evilRace(file))
	object(known)
	dir := t.TempDir()
	names = append(names, filepath.Dir(testfile.Write(t, filepath.Join(dir, "reports", "1-1.json"), b.String())))
	testfile.Write(t, filepath.Join(dir, "reports", "readme.txt"), "no report")
	testfile.Write(t, filepath.Join(dir, "reports", "empty.json"), "")
	testfile.Write(t, filepath.Join(dir, "reports", "bin", "x.test"), "\x7fELF\x00")

	b.Reset()
	explored := bankRace(file)
	explored.Fingerprint = "00000000000000d4"
	object(explored)
	object(struct {
		Type        string    `json:"type"`
		Fingerprint string    `json:"fingerprint"`
		Sections    []section `json:"sections"`
	}{"order", explored.Fingerprint, []section{{"main.2", 9, file + ":5:2", "acct.mu", false, []string{"main.1", evil}}, {evil, 8, evil, evil, true, nil}}})
	object(struct {
		Type string `json:"type"`
		Explored
	}{"exploration", Explored{Verdict: "1 data race", Extent: evil, Races: 1, Outside: []Outside{{evil, evil, 3, []string{evil}}}}})
	names = append(names, testfile.Write(t, filepath.Join(dir, "explored"), b.String()))

	names = append(names, testfile.Write(t, filepath.Join(dir, "order.txt"), "taskinstr schedule 1\nstrategy "+evil+"\nseed 7\npoints locks\nmain 300\nmain.1 3\nmain.2 | main.1:1 main.2:2r main.3:1!\nmain.2 to lock 3\nmain\n<script>window.ran=1</script>\nexit\n"))

	finding := func(fingerprint, kind string) string {
		object, err := json.Marshal(schedulefile.File{Kind: kind, Fingerprint: fingerprint, Title: evil, Package: "p", Test: evil})
		if err != nil {
			t.Fatal(err)
		}
		return "taskinstr schedule 1\nstrategy random:2, shortened\nseed 2\npoints all\nwall 7\nloose\n# finding " + string(object) + "\nmain 5\nmain.1 2\n# choices 5\n# end\n"
	}
	explored.Fingerprint = "00000000000000e5"
	b.Reset()
	object(explored)
	names = append(names, filepath.Dir(testfile.Write(t, filepath.Join(dir, "art", "00000000000000e5.json"), b.String())))
	for fingerprint, kind := range map[string]string{"00000000000000e5": "race", "00000000000000f6": "deadlock"} {
		testfile.Write(t, filepath.Join(dir, "art", fingerprint+".schedule"), finding(fingerprint, kind))
		testfile.Write(t, filepath.Join(dir, "art", fingerprint+".txt"), "==================\nWARNING: DATA RACE\n"+evil)
	}
	b.Reset()
	object(struct {
		Event    string         `json:"event"`
		Report   *report.Report `json:"report,omitempty"`
		Kind     string         `json:"kind"`
		Title    string         `json:"title"`
		Text     string         `json:"text"`
		Schedule string         `json:"schedule"`
	}{"finding", nil, evil, evil, evil, filepath.Join(dir, evil)})
	explored.Fingerprint = "0000000000000007"
	object(struct {
		Event  string        `json:"event"`
		Report report.Report `json:"report"`
	}{"finding", explored})
	object(struct {
		Event string `json:"event"`
	}{"end"})
	names = append(names, testfile.Write(t, filepath.Join(dir, "events.json"), b.String()))

	runs := []bench.Run{{Time: 100}, {Time: 90}, {Time: 120}}
	measured, err := json.Marshal(bench.Report{
		Version: evil, Go: "go1", Count: 3, Modes: []string{"plain", "race", evil},
		Benchmarks: []*bench.Benchmark{{Package: evil, Name: "Sum/few", Modes: map[string]*bench.Series{
			"plain": {Runs: runs, Median: runs[0]},
			"race":  {Runs: []bench.Run{{Time: 800}, {Time: 900}}, Median: bench.Run{Time: 800}, Ratios: &bench.Ratios{Time: 8, CPU: 9, Memory: 2}},
			evil:    {Failed: evil},
		}}},
		Means: map[string]*bench.Ratios{"race": {Time: 8, CPU: 9, Memory: 2}, evil: {Time: 1.5}},
		Noise: bench.Noise{Text: evil, Noisy: true}, Notes: []string{evil},
	})
	if err != nil {
		t.Fatal(err)
	}
	names = append(names, testfile.Write(t, filepath.Join(dir, "bench.json"), string(measured)))
	run := filepath.Join(dir, "run.trace")
	detectortest.RandomFile(t, run, 3)
	return root, append(names, run)
}

func load(t testing.TB) *Page {
	t.Helper()
	root, names := inputs(t)
	p, err := Load(root, names)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func find(t *testing.T, p *Page, fingerprint string) *Report {
	t.Helper()
	for _, r := range p.Reports {
		if r.Fingerprint == fingerprint {
			return r
		}
	}
	t.Fatalf("no report %s", fingerprint)
	return nil
}

// The page has the source with the expression marked, also over lines and behind characters of
// several bytes, and the place of each call.
func TestReport(t *testing.T) {
	p := load(t)
	r := find(t, p, "00000000000000a1")
	if r.Times != 2 || r.Kind != "race" || len(r.Tests) != 1 {
		t.Errorf("%+v", r)
	}
	marked := func(s *Side) (text string) {
		for _, l := range s.Lines {
			if l.Hit {
				text += fmt.Sprintf("%d%s[%s]%s;", l.Number, l.Before, l.Marked, l.After)
			}
		}
		return text
	}
	if got, want := marked(r.Sides[0]), "11\treturn [acct.];12\t\t[balance];"; got != want {
		t.Errorf("the later access: %q, want %q", got, want)
	}
	if got, want := marked(r.Sides[1]), "6\tacct.größe, [acct.balance] = 1, acct.balance+amount // <img src=x onerror=window.ran=1>;"; got != want {
		t.Errorf("the earlier access: %q, want %q", got, want)
	}
	for _, s := range r.Sides {
		if s.Note != "" {
			t.Errorf("note %s", s.Note)
		}
	}
	if f := r.Sides[1].Stack[1]; f != (Frame{"example.com/bank.Use.func1", "bank/bank.go:16", "wg.Go(func() { acct.Deposit(1) })", true}) {
		t.Errorf("frame %+v", f)
	}
	if f := r.Sides[1].Created[0]; f.Own || f.Text != "" || f.Position != "/nowhere/sync/waitgroup.go:238" {
		t.Errorf("frame of std %+v", f)
	}
	if k := r.Sides[1].Locks; len(k) != 1 || k[0].Text != "acct.mu.Lock()" || k[0].Position != "bank/bank.go:5:2" {
		t.Errorf("locks %+v", k)
	}
	if r.Why[1] != "goroutine 7 comes from the call at bank/bank.go:16" {
		t.Errorf("why: %s", r.Why[1])
	}
}

// If the source has changed, the page says so.
func TestChangedSource(t *testing.T) {
	root := t.TempDir()
	file := testfile.Write(t, filepath.Join(root, "bank.go"), strings.ReplaceAll(bankText, "balance", "sum"))
	line, _ := json.Marshal(bankRace(file))
	p, err := Load(root, []string{testfile.Write(t, filepath.Join(t.TempDir(), "r.json"), string(line)+"\n")})
	if err != nil {
		t.Fatal(err)
	}
	if s := p.Reports[0].Sides[1]; !strings.Contains(s.Note, "has changed") || len(s.Lines) != 2*margin+1 {
		t.Errorf("note %q, %d lines", s.Note, len(s.Lines))
	}
}

// A report that names a file which is no source does not bring its text into the page.
func TestNoSource(t *testing.T) {
	root := t.TempDir()
	r := bankRace(testfile.Write(t, filepath.Join(root, "secret.txt"), strings.Repeat("password\n", 30)))
	line, _ := json.Marshal(r)
	p, err := Load(root, []string{testfile.Write(t, filepath.Join(t.TempDir(), "r.json"), string(line)+"\n")})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "password") || !strings.Contains(b.String(), "The source is not at hand") {
		t.Error("the page has the text of a file that is no source")
	}
}

// The scheme has the ancestor above, or in the place of the goroutine that is the ancestor.
func TestScheme(t *testing.T) {
	p := load(t)
	s := find(t, p, "00000000000000a1").Scheme
	if len(s.Boxes) != 3 || s.Boxes[0].Lines[0] != "main goroutine" || s.Boxes[1].Lines[0] != "goroutine 7" || s.Missing.Label != "no order" {
		t.Errorf("%+v", s)
	}
	if s.Edges[0].Label != "go, bank.go:16" || s.Edges[1].Label != "go, bank.go:17" {
		t.Errorf("edges %+v", s.Edges)
	}
	r := bankRace("/x/y.go")
	r.Access.Created[1].File = "/x/quite_long_test.go"
	r.Access.Branch = &report.Branch{Goroutine: 5, Created: []report.Frame{{Function: "f", File: "/x/z.go", Line: 3}}}
	line, _ := json.Marshal(r)
	deep, err := Load("", []string{testfile.Write(t, filepath.Join(t.TempDir(), "r.json"), string(line)+"\n")})
	if err != nil {
		t.Fatal(err)
	}
	s = deep.Reports[0].Scheme
	if len(s.Boxes) != 4 || s.Boxes[3].Lines[0] != "goroutine 5" || len(s.Edges) != 3 || s.Edges[1].Label != "go, z.go:3" || s.Edges[1].Y2 > s.Edges[2].Y1 {
		t.Errorf("%+v", s)
	}
	if side := deep.Reports[0].Sides[0]; side.Ancestor != "goroutine 5" || len(side.Branch) != 1 {
		t.Errorf("%+v", side)
	}
	s = find(t, p, "00000000000000c3").Scheme // the later goroutine has made the earlier one
	if s.Boxes[0].Lines[0] != "goroutine 8" || s.Boxes[0].X != s.Boxes[2].X || len(s.Boxes[2].Lines) != 2 || s.Edges[1].Label != "" {
		t.Errorf("%+v", s)
	}
	for _, s := range []*Scheme{s, deep.Reports[0].Scheme, find(t, p, "00000000000000a1").Scheme} {
		for _, e := range s.Edges {
			if left, right := e.LabelX, e.LabelX+labelWidth*len(e.Label); e.End && left-labelWidth*len(e.Label) < 0 || !e.End && right > s.Width {
				t.Errorf("label of %+v is outside of %d", e, s.Width)
			}
		}
		for _, b := range s.Boxes {
			if b.X < 0 || b.X+b.W > s.Width || b.Y+b.H > s.Height {
				t.Errorf("box %+v is outside of %dx%d", b, s.Width, s.Height)
			}
		}
	}
}

func TestLanes(t *testing.T) {
	n := load(t).Lanes[0]
	if got := strings.Join(n.Names, " "); got != "main main.1 main.2 <script>window.ran=1</script>" {
		t.Errorf("names %q", got)
	}
	var runs []string
	for i, r := range n.Runs {
		runs = append(runs, r.Text)
		if i > 0 && r.X < n.Runs[i-1].X+n.Runs[i-1].W {
			t.Errorf("run %d begins before the end of the one before", i)
		}
	}
	if got, want := strings.Join(runs, "\n"), `choices 1 to 300: main
choices 301 to 303: main.1
choice 304: main.2, lock 2, shared, before main.1
choice 305: main.2
choice 306: main
choice 307: <script>window.ran=1</script>`; got != want {
		t.Errorf("runs:\n%s\nwant\n%s", got, want)
	}
	p := load(t)
	if f := p.Findings; len(f) != 2 || f[0].Kind != "deadlock" || f[0].Title != evil || f[0].Test != "p."+evil || !strings.HasSuffix(f[0].Text, evil) || len(f[0].Lanes.Runs) != 2 || f[1].Lanes != nil {
		t.Errorf("findings %+v", f)
	}
	if r := find(t, p, "00000000000000e5"); r.Order == nil || len(r.Order.Runs) != 2 || !strings.HasPrefix(r.Again, "taskinstr replay ") || r.Steps != nil {
		t.Errorf("the schedule of a race: %+v", r)
	}
	find(t, p, "0000000000000007")
	r := find(t, p, "00000000000000d4")
	if r.Order == nil || r.Order.Names[0] != "main.2 (goroutine 9)" || r.Steps[0].Position != "bank/bank.go:5:2" || r.Steps[0].Before != "main.1, "+evil {
		t.Errorf("order %+v, steps %+v", r.Order, r.Steps)
	}
}

func TestBench(t *testing.T) {
	b := load(t).Benches[0]
	if len(b.Charts) != 4 || !b.Charts[0].Whole || b.Charts[3].Whole {
		t.Fatalf("charts %+v", b.Charts)
	}
	if bars := b.Charts[0].Bars; bars[0].Value != "8.00x" || bars[0].W != chartWidth || b.Charts[0].Plain != chartWidth/8 || bars[1].Value != "1.50x" {
		t.Errorf("%+v", b.Charts[0])
	}
	if bars := b.Charts[3].Bars; bars[0].Low != chartWidth*8/9 || bars[0].High != chartWidth || bars[1].Failed != evil || bars[1].Value != "-" {
		t.Errorf("%+v", b.Charts[3])
	}
}

func TestInputs(t *testing.T) {
	p := load(t)
	if len(p.Graphs) != 1 || len(p.Explored) != 1 || len(p.Reports) < 5 {
		t.Errorf("%d graphs, %d explorations, %d reports", len(p.Graphs), len(p.Explored), len(p.Reports))
	}
	if len(p.Notes) != 2 || !strings.Contains(p.Notes[0], "1 file left out, since there is nothing to show in ") || !strings.Contains(p.Notes[1], " is gone") {
		t.Errorf("notes %q", p.Notes)
	}
	dir := t.TempDir()
	for text, want := range map[string]string{
		"hello\n":                       "no reports, trace, recorded schedule, exploration or measurement",
		"{}":                            "no reports, trace",
		`{"taskinstr":"v1","modes":[]}`: "no reports, trace",
		"==================\nWARNING: DATA RACE\n":                  "the reports are text; run the program with TASKINSTR=format=json",
		"taskinstr schedule 1\nmain x y\n":                          `"main x y" is no choice`,
		"\x7fELF\x00\n{\"type\":\"race\n":                           "no reports, trace",
		"taskinstr trace\x63":                                       "version",
		`{"type":"order","sections":7}` + "\n":                      "cannot unmarshal",
		`{"type":"race","fingerprint":7}` + "\n" + `{"type":"race"`: "no whole object",
	} {
		_, err := Load("", []string{testfile.Write(t, filepath.Join(dir, "input"), text)})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "input") {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	if _, err := Load("", []string{filepath.Join(dir, "none")}); !os.IsNotExist(err) {
		t.Errorf("no file: %v", err)
	}
	p, err := Load("", []string{testfile.Write(t, filepath.Join(dir, "torn"), `{"type":"race","fing`)})
	if err != nil || len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "not whole") {
		t.Errorf("a torn file: %v, %+v", err, p)
	}
	p, err = Load("", []string{testfile.Write(t, filepath.Join(dir, "empty"), "")})
	var b strings.Builder
	if err != nil || !p.Empty() || p.Write(&b) != nil || !strings.Contains(b.String(), "have no data race") {
		t.Errorf("no report: %v", err)
	}
}

// No text of an input becomes an element, an attribute or a script, and the page refers to
// nothing outside.
func TestEscape(t *testing.T) {
	var b strings.Builder
	if err := load(t).Write(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if n := strings.Count(text, "onerror=window.ran=1&gt;"); n < 30 {
		t.Errorf("the texts are in the page %d times: the inputs have no effect", n)
	}
	for _, tag := range []string{"<img", "<svg onload", "<a href=\"javascript", "<script>window", "\"'>"} {
		if i := strings.Index(text, tag); i >= 0 {
			t.Errorf("%s in %s", tag, text[max(i-200, 0):i+100])
		}
	}
	if n := strings.Count(text, "<script>"); n != 1 {
		t.Errorf("%d scripts", n)
	}
	elements := strings.Fields("html head meta title style body svg defs marker path header h1 h2 h3 h4 nav a p code main section div label span input b button details summary ul ol li dl dt dd br pre mark figure figcaption line rect text dialog kbd script")
	dec := xml.NewDecoder(strings.NewReader(strings.NewReplacer("<!DOCTYPE html>", "", style, "", script, "").Replace(text)))
	dec.Strict, dec.AutoClose, dec.Entity = false, []string{"meta", "input", "br"}, xml.HTMLEntity
	for {
		token, err := dec.Token()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if !slices.Contains(elements, e.Name.Local) {
			t.Errorf("element %s", e.Name.Local)
		}
		for _, a := range e.Attr {
			switch name := a.Name.Local; {
			case name == "src", name == "style", name == "action", strings.HasPrefix(name, "on"), name == "href" && !strings.HasPrefix(a.Value, "#"):
				t.Errorf("element %s has %s=%q", e.Name.Local, name, a.Value)
			}
		}
	}
	if strings.Contains(style+script, "http") {
		t.Error("style or script name an address")
	}
}

func TestCommand(t *testing.T) {
	root, names := inputs(t)
	out := filepath.Join(t.TempDir(), "report.html")
	var stdout, stderr bytes.Buffer
	if code := Main(append([]string{"-root", root, "-o", out}, names...), &stdout, &stderr); code != exitcode.OK || stdout.Len()+stderr.Len() > 0 {
		t.Fatalf("exit code %d, %s%s", code, &stdout, &stderr)
	}
	if text, err := os.ReadFile(out); err != nil || !bytes.HasSuffix(bytes.TrimSpace(text), []byte("</html>")) {
		t.Errorf("%v, %d bytes", err, len(text))
	}
	for args, want := range map[string]struct {
		code int
		text string
	}{
		"":                                   {exitcode.Usage, "name a folder or files"},
		"-out=x y":                           {exitcode.Usage, "taskinstr help view"},
		"/nowhere/x":                         {exitcode.Failed, "/nowhere/x"},
		"-o=/nowhere/x testdata/contrast.js": {exitcode.Failed, "no reports"},
	} {
		stderr.Reset()
		if code := Main(strings.Fields(args), &stdout, &stderr); code != want.code || !strings.Contains(stderr.String(), want.text) {
			t.Errorf("%q: exit code %d, %s", args, code, &stderr)
		}
	}
}
