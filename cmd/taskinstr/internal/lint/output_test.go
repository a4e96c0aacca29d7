package lint

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"testing"
)

const bankText = "package bank\n\nfunc (a *acct) add(ü int) {\n\ta.balance += ü; a.owner.name = a.owner.\n\t\tother\n}\n"

// bankReport returns a report on bankText. It has sites of each fate, nested and coinciding
// sites, and a site whose source is unknown.
func bankReport() *Report {
	src := newSource([]byte(bankText))
	site := func(line, col int, access, expr string, fate Fate, pass, reason string) *Site {
		return &Site{
			Place: Place{"a b/bank.go", line, col}, Access: access, Expr: expr, Func: "(*acct).add", Package: "m/bank",
			Fate: fate, Pass: pass, Reason: reason, Estimate: 1, source: src,
		}
	}
	cover := site(4, 2, "write", "a.balance", Kept, "", `may be "written" <in parallel>`)
	cover.Advice = "move <it>"
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
	plain := strings.NewReplacer(bold, "", red, "", green, "", yellow, "", reset, "").Replace(colored.String())
	if plain != want || !strings.Contains(colored.String(), green+"check removed") {
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

// sarifObjects are the objects of the published schema that the log uses. Each has the
// properties that the object must have, and the others that it may have. The schema allows
// no further ones.
var sarifObjects = map[string]struct{ required, allowed string }{
	"log":         {"version runs", "$schema inlineExternalProperties properties"},
	"run":         {"tool", "results originalUriBaseIds columnKind artifacts invocations automationDetails properties"},
	"tool":        {"driver", "extensions properties"},
	"driver":      {"name", "version semanticVersion informationUri rules properties"},
	"rule":        {"id", "name shortDescription fullDescription help helpUri properties"},
	"result":      {"message", "ruleId ruleIndex kind level locations relatedLocations properties"},
	"location":    {"", "id physicalLocation logicalLocations message properties"},
	"physical":    {"artifactLocation", "region contextRegion properties"}, // an address may replace the artifact
	"artifact":    {"", "uri uriBaseId index description properties"},
	"region":      {"", "startLine startColumn endLine endColumn snippet message properties"},
	"logical":     {"", "name fullyQualifiedName kind index properties"},
	"message":     {"text", "markdown id arguments properties"}, // an id may replace the text
	"multiformat": {"text", "markdown properties"},
}

// A sarifChecker walks a decoded log.
type sarifChecker struct{ t *testing.T }

func (c sarifChecker) object(kind string, v any) map[string]any {
	c.t.Helper()
	m, ok := v.(map[string]any)
	if !ok {
		c.t.Fatalf("%s is %T", kind, v)
	}
	o := sarifObjects[kind]
	for _, r := range strings.Fields(o.required) {
		if m[r] == nil {
			c.t.Errorf("%s has no %s", kind, r)
		}
	}
	for k := range m {
		if !slices.Contains(strings.Fields(o.required+" "+o.allowed), k) {
			c.t.Errorf("%s has a property %s, which the schema does not know", kind, k)
		}
	}
	return m
}

func (c sarifChecker) list(kind string, v any) []any {
	c.t.Helper()
	l, ok := v.([]any)
	if !ok {
		c.t.Fatalf("%s is %T", kind, v)
	}
	return l
}

func (c sarifChecker) location(v any, bases map[string]any) {
	l := c.object("location", v)
	p := c.object("physical", l["physicalLocation"])
	a := c.object("artifact", p["artifactLocation"])
	u, err := url.Parse(a["uri"].(string))
	if err != nil {
		c.t.Errorf("uri: %v", err)
	}
	if base, ok := a["uriBaseId"]; ok != !u.IsAbs() || ok && bases[base.(string)] == nil {
		c.t.Errorf("artifact %v: relative and with a known base, or absolute", a)
	}
	r := c.object("region", p["region"])
	for k, v := range r {
		if n, ok := v.(float64); !ok || n < 1 {
			c.t.Errorf("region: %s is %v", k, v)
		}
	}
	for _, g := range l["logicalLocations"].([]any) {
		c.object("logical", g)
	}
}

// TestSARIF compares the log with the schema of SARIF 2.1.0, and with the rules of the
// standard's text that the schema cannot express.
func TestSARIF(t *testing.T) {
	var b bytes.Buffer
	if err := bankReport().writeSARIF(&b, "v1"); err != nil {
		t.Fatal(err)
	}
	var log any
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	c := sarifChecker{t}
	top := c.object("log", log)
	if top["version"] != "2.1.0" {
		t.Errorf("version %v", top["version"])
	}
	run := c.object("run", c.list("runs", top["runs"])[0])
	if k := run["columnKind"]; k != "utf16CodeUnits" && k != "unicodeCodePoints" {
		t.Errorf("columnKind %v", k)
	}
	bases := run["originalUriBaseIds"].(map[string]any)
	for _, v := range bases {
		if u := c.object("artifact", v)["uri"].(string); u != "file:///home/x%20y/" { // 3.14.14: a folder ends in a slash
			t.Errorf("base %s", u)
		}
	}
	driver := c.object("driver", c.object("tool", run["tool"])["driver"])
	var rules []string
	for _, v := range c.list("rules", driver["rules"]) {
		r := c.object("rule", v)
		c.object("multiformat", r["shortDescription"])
		rules = append(rules, r["id"].(string))
	}
	results := c.list("results", run["results"])
	if len(results) != 5 {
		t.Fatalf("%d results", len(results))
	}
	related := 0
	for _, v := range results {
		r := c.object("result", v)
		c.object("message", r["message"])
		if i := int(r["ruleIndex"].(float64)); i < 0 || i >= len(rules) || rules[i] != r["ruleId"] {
			t.Errorf("rule %v is not number %v", r["ruleId"], r["ruleIndex"])
		}
		if !slices.Contains([]string{"notApplicable", "pass", "fail", "review", "open", "informational"}, r["kind"].(string)) {
			t.Errorf("kind %v", r["kind"])
		}
		if r["kind"] != "fail" && r["level"] != "none" { // 3.27.10
			t.Errorf("kind %v, level %v", r["kind"], r["level"])
		}
		for _, l := range c.list("locations", r["locations"]) {
			if m := l.(map[string]any); m["logicalLocations"] == nil {
				m["logicalLocations"] = []any{}
			}
			c.location(l, bases)
		}
		if r["relatedLocations"] != nil {
			for _, l := range c.list("relatedLocations", r["relatedLocations"]) {
				related++
				m := l.(map[string]any)
				c.object("message", m["message"])
				m["logicalLocations"] = []any{}
				c.location(l, bases)
			}
		}
	}
	if related != 1 {
		t.Errorf("%d related locations, want the cover of one site", related)
	}
	// Columns count characters: ü is two bytes.
	region := results[3].(map[string]any)["locations"].([]any)[0].(map[string]any)["physicalLocation"].(map[string]any)["region"]
	if got := fmt.Sprint(region); got != "map[endColumn:8 endLine:5 startColumn:33 startLine:4]" {
		t.Errorf("region of the expression on two lines: %s", got)
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
		`<td><a href="#f1-9">y.go:9:1</a></td><td>access of <code>x</code></td>`,
		`<td>may be &#34;written&#34; &lt;in parallel&gt;<span class="change">move &lt;it&gt;</span></td>`,
		`<h3>(*acct).add (a b/bank.go:4)</h3>`,
		`4 sites: 1 kept, 1 guarded, 2 removed`,
	} {
		want = strings.ReplaceAll(want, "&#10;", "\n")
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
	for _, outside := range []string{"http:", "https:", "src=", `href="/`, `href="h`, "<script", "@import", "url("} {
		if strings.Contains(b.String(), outside) {
			t.Errorf("the page refers to something outside: %s", outside)
		}
	}
	if n := strings.Count(b.String(), `<li id="`); n != strings.Count(bankText, "\n")+1 {
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
