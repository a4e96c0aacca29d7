package lint

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"

	"taskinstr/cmd/internal/terminal"
	"taskinstr/cmd/taskinstr/internal/excerpt"
	"taskinstr/cmd/taskinstr/internal/sarif"
	"taskinstr/cmd/taskinstr/internal/sarif/sariftest"
)

const bankText = "package bank\n\nfunc (a *acct) add(ü int) {\n\ta.balance += ü; a.owner.name = a.owner.\n\t\tother\n}\n"

// bankReport returns a report on bankText. It has sites of each fate, nested and coinciding
// sites, and a site whose source is unknown.
func bankReport() *Report {
	src := excerpt.New([]byte(bankText))
	site := func(line, col int, access, expr string, fate Fate, pass, reason string) *Site {
		return &Site{
			Place: Place{"a b/bank.go", line, col}, Access: access, Expr: expr, Func: "(*acct).add", Package: "m/bank",
			Fate: fate, Pass: pass, Reason: reason, source: src,
		}
	}
	cover := site(4, 2, "write", "a.balance", Kept, "", `may be "written" <in parallel>`)
	covered := site(4, 2, "read", "a.balance", Removed, "dominate", "covered by the write at bank.go:4:2")
	covered.By, covered.by = &cover.Place, cover
	gone := site(9, 1, "access", "x", Kept, "", "no pass speaks of it")
	gone.File, gone.source, gone.Package, gone.Func = "/gen/y.go", nil, "m/gen", ""
	r := &Report{
		Passes: []string{"escape", "dominate", "hoist"},
		Doc:    map[string]string{"escape": "e", "dominate": "d", "hoist": "h"},
		Dir:    "/home/x y",
		Sites: []*Site{
			gone,
			site(4, 34, "read", "a.owner. other", Removed, "escape", "no other task reaches it"),
			site(4, 34, "read", "a.owner", Guarded, "hoist", "the first check in the loop"),
			cover, covered,
		},
	}
	r.Sites[2].Elems = true
	r.sort()
	return r
}

func TestText(t *testing.T) {
	var b strings.Builder
	if err := bankReport().writeText(&b, &options{source: true}, false); err != nil {
		t.Fatal(err)
	}
	want := `a b/bank.go:4:2: read of a.balance: check removed (dominate: covered by the write at bank.go:4:2)
	` + `	a.balance += ü; a.owner.name = a.owner.
		^~~~~~~~~
a b/bank.go:4:2: write of a.balance: check kept: may be "written" <in parallel>
		a.balance += ü; a.owner.name = a.owner.
		^~~~~~~~~
a b/bank.go:4:34: read of the elements of a.owner: check guarded (hoist: the first check in the loop)
		a.balance += ü; a.owner.name = a.owner.
		                               ^~~~~~~
a b/bank.go:4:34: read of a.owner. other: check removed (escape: no other task reaches it)
		a.balance += ü; a.owner.name = a.owner.
		                               ^~~~~~~~
/gen/y.go:9:1: access of x: check kept: no pass speaks of it

  sites  kept  removed  guarded  escape  dominate  hoist  package
      4     1        2        1       1         1      1  m/bank
      1     1        0        0       0         0      0  m/gen
      5     2        2        1       1         1      1  all
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	var colored strings.Builder
	if err := bankReport().writeText(&colored, &options{source: true}, true); err != nil {
		t.Fatal(err)
	}
	plain := regexp.MustCompile("\x1b\\[[0-9]*m").ReplaceAllString(colored.String(), "")
	if plain != want || !strings.Contains(colored.String(), string(terminal.Green)+"check removed") {
		t.Errorf("coloured text is not the plain text with colours:\n%q", colored.String())
	}
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	if err := bankReport().writeJSON(&b, &options{}); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Passes  []string
		Sites   []Site
		Summary Summary
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Sites) != 5 || got.Sites[0].By == nil || *got.Sites[0].By != (Place{"a b/bank.go", 4, 2}) || got.Sites[0].Fate != Removed {
		t.Errorf("sites: %+v", got.Sites)
	}
	if got.Summary.Total.ByPass["hoist"] != 1 || got.Summary.Packages[0].Kept != 1 || len(got.Passes) != 3 {
		t.Errorf("summary: %s", b.Bytes())
	}
	b.Reset()
	if err := new(Report).writeJSON(&b, &options{}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "null") {
		t.Errorf("an empty report has null for a list:\n%s", b.String())
	}
}

func TestCheckstyle(t *testing.T) {
	var b bytes.Buffer
	if err := bankReport().writeCheckstyle(&b); err != nil {
		t.Fatal(err)
	}
	var got checkstyle
	if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Files) != 2 || got.Files[0].Name != "a b/bank.go" || len(got.Files[0].Errors) != 4 {
		t.Fatalf("files: %+v", got.Files)
	}
	want := checkstyleError{4, 2, "info", `write of a.balance: check kept: may be "written" <in parallel>`, "taskinstr.kept"}
	if got.Files[0].Errors[1] != want {
		t.Errorf("got %+v, want %+v", got.Files[0].Errors[1], want)
	}
}

// TestSARIF compares the log with the standard.
func TestSARIF(t *testing.T) {
	var b bytes.Buffer
	if err := bankReport().writeSARIF(&b, "v1"); err != nil {
		t.Fatal(err)
	}
	run := sariftest.Check(t, b.Bytes())
	for _, a := range run.BaseIDs {
		if a.URI != "file:///home/x%20y/" {
			t.Errorf("base %s", a.URI)
		}
	}
	if len(run.Results) != 5 {
		t.Fatalf("%d results", len(run.Results))
	}
	related := 0
	for _, r := range run.Results {
		related += len(r.Related)
	}
	if related != 1 {
		t.Errorf("%d related locations, want the cover of one site", related)
	}
	// Columns count characters: ü is two bytes.
	if got, want := *run.Results[3].Locations[0].Physical.Region, (sarif.Region{Line: 4, Column: 33, EndLine: 5, EndColumn: 8}); got != want {
		t.Errorf("region of the expression on two lines: %+v", got)
	}
}

func TestHTML(t *testing.T) {
	var b strings.Builder
	if err := bankReport().writeHTML(&b, &options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		// two sites of one place: the fate that costs more
		`<span class="kept" title="read of a.balance: check removed (dominate: covered by the write at bank.go:4:2)&#10;write of a.balance: check kept: may be &#34;written&#34; &lt;in parallel&gt;">a.balance</span>`,
		// a site within one that goes over two lines
		`<span class="removed" title="read of a.owner. other: check removed (escape: no other task reaches it)"><span class="guarded" title="read of the elements of a.owner: check guarded (hoist: the first check in the loop)">a.owner</span>.</span></li>`,
		`		other</span></li>`,
		`/gen/y.go:9:1: access of x: check kept`,
		`4 sites: 1 kept, 1 guarded, 2 removed`,
	} {
		want = strings.ReplaceAll(want, "&#10;", "\n")
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
	for _, outside := range []string{"http:", "https:", "src=", "href=", "@import", "url("} {
		if strings.Contains(b.String(), outside) {
			t.Errorf("the page refers to something outside: %s", outside)
		}
	}
	if n := strings.Count(b.String(), "<li>"); n != strings.Count(bankText, "\n")+1 {
		t.Errorf("%d lines", n)
	}
	// The page is well-formed XML except where HTML allows otherwise.
	dec := xml.NewDecoder(strings.NewReader(b.String()))
	dec.Strict, dec.AutoClose, dec.Entity = false, []string{"meta"}, xml.HTMLEntity
	for {
		if _, err := dec.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%v", err)
		}
	}
	if o, c := strings.Count(b.String(), "<span"), strings.Count(b.String(), "</span>"); o != c {
		t.Errorf("%d spans opened, %d closed", o, c)
	}
}
