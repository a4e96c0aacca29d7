package reports

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"taskinstr/cmd/internal/exitcode"
	"taskinstr/cmd/internal/terminal"
	"taskinstr/cmd/internal/testfile"
	"taskinstr/cmd/taskinstr/internal/sarif"
	"taskinstr/cmd/taskinstr/internal/sarif/sariftest"
	"taskinstr/detector/trace/report"
)

const bankText = `package bank

import "sync"

type Account struct {
	mu             sync.Mutex
	größe, balance int
}

func (acct *Account) Deposit(amount int) {
	acct.mu.Lock()
	acct.balance += amount
	acct.mu.Unlock()
}

func (acct *Account) Balance() int {
	return acct.größe * acct.balance
}

func Use() {
	acct := new(Account)
	var wg sync.WaitGroup
	wg.Go(func() { acct.Deposit(1) })
	wg.Go(func() { acct.Balance() })
	wg.Wait()
}
`

func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	testfile.Tree(t, dir, map[string]string{"go.mod": "module example.com/repo\n", "bank/my bank.go": bankText})
	return dir
}

// sample writes reports for the repository into a file: a race that two tests have shown, a
// predicted race of a program built with -trimpath, with texts that formats must escape, a
// race without any place, and a known race.
func sample(t *testing.T, dir string) string {
	t.Helper()
	file := filepath.Join(dir, "bank", "my bank.go")
	frame := func(function string, line int) report.Frame {
		return report.Frame{Function: function, File: file, Line: line}
	}
	std := report.Frame{Function: "sync.(*WaitGroup).Go", File: "/usr/local/go/src/sync/waitgroup.go", Line: 238}
	race := report.Report{
		Type: report.TypeRace, Fingerprint: "00000000000000a1", Package: "example.com/repo.v2/bank", Test: "TestUse/a.b/c",
		Access: report.Access{
			Kind: "read", Address: "0x1", Size: 8, Expression: "acct.balance", Declared: "field balance of Account", Position: file + ":17:24", Goroutine: 8,
			Stack:   []report.Frame{frame("example.com/repo/bank.(*Account).Balance", 17), frame("example.com/repo/bank.Use.func2", 24), std},
			Created: []report.Frame{std, frame("example.com/repo/bank.Use", 24)},
		},
		Previous: report.Access{
			Kind: "write", Address: "0x1", Size: 8, Expression: "acct.balance", Declared: "field balance of Account", Position: file + ":12:2", Goroutine: 7,
			Locks:   []report.Held{{Address: "0x2", Expression: "acct.mu", Position: file + ":11:2"}},
			Stack:   []report.Frame{frame("example.com/repo/bank.(*Account).Deposit", 12), frame("example.com/repo/bank.Use.func1", 23), std},
			Created: []report.Frame{std, frame("example.com/repo/bank.Use", 23)},
		},
		Why: []string{"goroutine 7 holds acct.mu, goroutine 8 holds no lock", "no lock makes the later access wait"},
	}
	predicted := race
	predicted.Type, predicted.Fingerprint, predicted.Package, predicted.Test = report.TypePredicted, "00000000000000b2", "", ""
	predicted.Access.Position = "example.com/repo/bank/my bank.go:12:2"
	predicted.Access.Expression = "m[\"100%,:\r\n<]]>&\x01{0}\"]"
	predicted.Access.Created, predicted.Access.Goroutine = nil, 1
	bare := report.Report{Type: report.TypeRace, Fingerprint: "00000000000000c3", Access: report.Access{Kind: "write"}, Previous: report.Access{Kind: "read"}, Why: []string{"?"}}
	known := race
	known.Known, known.Fingerprint = true, "00000000000000d4"
	again := race
	again.Test = "TestMore"
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	for _, r := range []report.Report{race, predicted, bare, known, again} {
		if err := enc.Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	return testfile.Write(t, filepath.Join(t.TempDir(), "reports.json"), b.String())
}

// run runs the command and returns its standard output.
func run(t *testing.T, code int, args ...string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	if got := Main("v1", args, &out, &errs); got != code {
		t.Fatalf("%q: exit code %d, want %d; %s", args, got, code, &errs)
	}
	return out.Bytes()
}

func TestSARIF(t *testing.T) {
	dir := repository(t)
	log := sariftest.Check(t, run(t, exitcode.Races, "-sarif", "-root="+dir, sample(t, dir)))
	if len(log.Results) != 4 {
		t.Fatalf("%d results", len(log.Results))
	}
	race, bare, predicted, known := log.Results[0], log.Results[1], log.Results[2], log.Results[3]
	if race.Level != "error" || predicted.Level != "warning" || race.Occurrences != 2 || len(known.Suppressions) != 1 || len(race.Suppressions) != 0 {
		t.Errorf("levels %s, %s; %d times; suppressions %v, %v", race.Level, predicted.Level, race.Occurrences, known.Suppressions, race.Suppressions)
	}
	if f := race.Fingerprints; f["taskinstr/v1"] != "00000000000000a1" || f["primaryLocationLineHash"] != "00000000000000a1:1" {
		t.Errorf("fingerprints %v", f)
	}
	// ö and ß are two bytes each, columns count characters.
	at := race.Locations[0].Physical
	if want := (sarif.Region{Line: 17, Column: 22, EndLine: 17, EndColumn: 34}); at.Artifact.URI != "bank/my%20bank.go" || *at.Region != want {
		t.Errorf("location %s %+v, want %+v", at.Artifact.URI, *at.Region, want)
	}
	if got := predicted.Locations[0].Physical.Artifact; got != at.Artifact {
		t.Errorf("a program built with -trimpath: %+v, want %+v", got, at.Artifact)
	}
	var related []string
	for i, l := range race.Related {
		if l.ID != i+1 {
			t.Errorf("related location %d has the id %d", i+1, l.ID)
		}
		related = append(related, strconv.Itoa(l.Physical.Region.Line)+" "+l.Message.Text)
	}
	if got, want := strings.Join(related, "\n"), `12 the earlier access: write of acct.balance in example.com/repo/bank.(*Account).Deposit
24 goroutine 8 is created here
11 goroutine 7 takes acct.mu here
23 goroutine 7 is created here`; got != want {
		t.Errorf("related locations:\n%s\nwant\n%s", got, want)
	}
	threads := race.CodeFlows[0].ThreadFlows
	if len(threads) != 2 || threads[0].ID != "8" || threads[1].ID != "7" {
		t.Fatalf("threads %+v", threads)
	}
	var steps []string
	for _, s := range threads[1].Steps {
		steps = append(steps, strconv.Itoa(s.Nesting)+" "+s.Location.Message.Text)
	}
	if got, want := strings.Join(steps, "\n"), `0 in example.com/repo/bank.Use
1 goroutine 7 is created
0 in sync.(*WaitGroup).Go
1 in example.com/repo/bank.Use.func1
2 in example.com/repo/bank.(*Account).Deposit
3 write of acct.balance in example.com/repo/bank.(*Account).Deposit`; got != want {
		t.Errorf("steps:\n%s\nwant\n%s", got, want)
	}
	if len(bare.Locations) != 0 || len(bare.CodeFlows) != 0 {
		t.Errorf("a report without places has %+v", bare)
	}
	empty := testfile.Write(t, filepath.Join(t.TempDir(), "empty"), "")
	if log := sariftest.Check(t, run(t, exitcode.OK, "-sarif", empty)); len(log.Results) != 0 {
		t.Errorf("no report: %d results", len(log.Results))
	}
}

// command matches a workflow command of GitHub Actions: a level, properties whose values have
// no comma and no colon, and a message without newlines.
var command = regexp.MustCompile(`^::(error|warning)((?: |,)\w+=[^,:\r\n]*)*::([^\r\n]*)$`)

// findings returns a folder with what an exploration keeps of a leak, twice, and of a panic in another repository.
func findings(t *testing.T, dir string) string {
	t.Helper()
	bank := filepath.Join(dir, "bank", "my bank.go")
	folder := t.TempDir()
	for i, f := range []Finding{
		{Kind: "leak", Fingerprint: "00000000000000c1", Title: "blocked for good: chan send in bank.Use at " + bank + ":23; started in bank.Use at " + bank + ":22",
			Places: []Located{{bank + ":23", "blocked for good"}, {bank + ":22", "started here, 100%"}}, Schedule: "out/00000000000000c1.schedule", Reports: 2, Tests: []string{"example.com/repo/bank.TestUse"}},
		{Kind: "leak", Fingerprint: "00000000000000c1", Title: "the same", Reports: 1, Tests: []string{"example.com/repo/bank.TestAgain"}},
		{Kind: "test failure", Fingerprint: "00000000000000c2", Title: "TestX: \x1b[31mred", Places: []Located{{"/elsewhere/x_test.go:3", "x"}}},
	} {
		f.Type = TypeFinding
		text, err := json.Marshal(&f)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, strconv.Itoa(i)+".json"), append(text, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// What an exploration finds beside races is in all formats, and each is one result.
func TestFindings(t *testing.T) {
	dir := repository(t)
	folder := findings(t, dir)
	text := string(run(t, exitcode.Races, folder))
	for _, want := range []string{"leak 00000000000000c1 in example.com/repo/bank.TestAgain, example.com/repo/bank.TestUse\n  blocked for good: chan send in bank.Use at ",
		"\n  again: taskinstr replay out/00000000000000c1.schedule\n", "\n0 data races, 1 leak, 1 test failure\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text has no %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "\x1b") {
		t.Errorf("the text has an escape sequence of the program: %q", text)
	}
	merged := filepath.Join(t.TempDir(), "merged.json")
	if err := os.WriteFile(merged, run(t, exitcode.Races, "-json", folder), 0o666); err != nil {
		t.Fatal(err)
	}
	if again := string(run(t, exitcode.Races, merged)); again != text {
		t.Errorf("the merged findings print\n%s\nand not\n%s", again, text)
	}
	log := sariftest.Check(t, run(t, exitcode.Races, "-sarif", "-root="+dir, folder))
	if len(log.Results) != 2 {
		t.Fatalf("%d results", len(log.Results))
	}
	leak, failure := log.Results[0], log.Results[1]
	if leak.RuleID != "leak" || failure.RuleID != "test-failure" || leak.Occurrences != 3 || len(leak.Locations) != 1 || len(leak.Related) != 1 || len(failure.Locations) != 0 {
		t.Errorf("results %+v", log.Results)
	} else if at := leak.Locations[0].Physical; at.Artifact.URI != "bank/my%20bank.go" || at.Region.Line != 23 {
		t.Errorf("the leak is at %+v", at)
	}
	lines := strings.Split(strings.TrimSuffix(string(run(t, exitcode.Races, "-github", "-root", dir, folder)), "\n"), "\n")
	if len(lines) != 2 || !command.MatchString(lines[0]) || !strings.HasPrefix(lines[0], "::error file=bank/my bank.go,line=23,title=leak::blocked for good") {
		t.Errorf("commands %q", lines)
	}
	if list := checkGitLab(t, run(t, exitcode.Races, "-gitlab", "-root", dir, folder)); len(list) != 2 {
		t.Errorf("%d issues", len(list))
	}
	checkJUnit(t, run(t, exitcode.Races, "-junit", "-root", dir, folder))
	unknown := testfile.Write(t, filepath.Join(t.TempDir(), "unknown.json"), `{"type":"finding","kind":"mood","fingerprint":"1"}`+"\n")
	var out, errs bytes.Buffer
	if code := Main("v1", []string{"-sarif", unknown}, &out, &errs); code != exitcode.Failed || !strings.Contains(errs.String(), `is of the kind "mood", which this taskinstr does not know`) {
		t.Errorf("exit code %d, %s", code, &errs)
	}
}

func TestGitHub(t *testing.T) {
	dir := repository(t)
	lines := strings.Split(strings.TrimSuffix(string(run(t, exitcode.Races, "-github", "-root", dir, sample(t, dir))), "\n"), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines, want one a report that is not known: %q", len(lines), lines)
	}
	for _, l := range lines {
		if !command.MatchString(l) {
			t.Errorf("no workflow command: %q", l)
		}
	}
	for i, want := range []string{
		`::error file=bank/my bank.go,line=17,endLine=17,col=22,endColumn=34,title=data race::read of acct.balance in example.com/repo/bank.(*Account).Balance at bank/my bank.go:17:22, and earlier%0Awrite of`,
		`::error title=data race::`,
		`::warning file=bank/my bank.go,line=12,endLine=12,col=2,endColumn=6,title=predicted data race::read of m["100%25,:%0D%0A<]]>&`,
	} {
		if !strings.HasPrefix(lines[i], want) {
			t.Errorf("got %q, want %q", lines[i], want)
		}
	}
	if !strings.Contains(lines[0], "%0Ain example.com/repo.v2/bank.TestMore, example.com/repo.v2/bank.TestUse/a.b/c%0Afingerprint ") {
		t.Errorf("tests are missing in %q", lines[0])
	}
}

// The paths are those of the repository, from whatever folder the command is called.
func TestRoot(t *testing.T) {
	dir := repository(t)
	name := sample(t, dir)
	t.Chdir(filepath.Join(dir, "bank"))
	const inside = "file=my bank.go,"
	if got := string(run(t, exitcode.Races, "-github", name)); !strings.Contains(got, inside) {
		t.Errorf("without a service: %s", got)
	}
	t.Setenv("GITHUB_WORKSPACE", t.TempDir())
	if got := string(run(t, exitcode.Races, "-github", name)); !strings.Contains(got, inside) {
		t.Errorf("a workspace elsewhere: %s", got)
	}
	t.Setenv("GITHUB_WORKSPACE", dir)
	if got := string(run(t, exitcode.Races, "-github", name)); !strings.Contains(got, "file=bank/my bank.go,") {
		t.Errorf("with a workspace: %s", got)
	}
}

// A codeQuality is an issue with the members that GitLab documents for its Code Quality reports. All
// of them are required.
type codeQuality struct {
	Description string `json:"description"`
	Check       string `json:"check_name"`
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
		} `json:"lines"`
	} `json:"location"`
}

// checkGitLab checks the documented rules of a Code Quality report: an array of issues, no byte order
// mark in front of it, all members there, one of five severities, paths that are relative to the
// repository and do not begin with "./", fingerprints that do not repeat.
func checkGitLab(t *testing.T, text []byte) (list []codeQuality) {
	t.Helper()
	if !bytes.HasPrefix(text, []byte("[")) {
		t.Errorf("the report is no array: %.20q", text)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&list); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i, x := range list {
		if x.Description == "" || x.Check == "" || x.Fingerprint == "" || x.Location.Lines.Begin < 1 {
			t.Errorf("issue %d lacks a member: %+v", i, x)
		}
		if !slices.Contains([]string{"info", "minor", "major", "critical", "blocker"}, x.Severity) {
			t.Errorf("issue %d: severity %q", i, x.Severity)
		}
		if p := x.Location.Path; path.Clean(p) != p || path.IsAbs(p) || p == "." || strings.HasPrefix(p, "../") || strings.Contains(p, `\`) {
			t.Errorf("issue %d: path %q", i, p)
		}
		if seen[x.Fingerprint] {
			t.Errorf("issue %d: the fingerprint %s again", i, x.Fingerprint)
		}
		seen[x.Fingerprint] = true
	}
	return list
}

func TestGitLab(t *testing.T) {
	dir := repository(t)
	list := checkGitLab(t, run(t, exitcode.Races, "-gitlab", "-root", dir, sample(t, dir)))
	if len(list) != 3 {
		t.Fatalf("%d issues", len(list))
	}
	for i, want := range []string{"race critical bank/my bank.go 17", "race critical go.mod 1", "predicted-race minor bank/my bank.go 12"} {
		x := list[i]
		if got := strings.Join([]string{x.Check, x.Severity, x.Location.Path, strconv.Itoa(x.Location.Lines.Begin)}, " "); got != want {
			t.Errorf("issue %d: %s, want %s", i, got, want)
		}
	}
	empty := testfile.Write(t, filepath.Join(t.TempDir(), "empty"), "")
	if list := checkGitLab(t, run(t, exitcode.OK, "-gitlab", empty)); list == nil || len(list) != 0 {
		t.Errorf("no report: %v, want an empty array", list)
	}
}

// junitShape lists the elements of JUnit's XML with what may stand in each, in this order, and the
// attributes that each must and may have. It is what the schema of Jenkins and the stricter one of its
// xUnit plugin (junit-10.xsd) have in common, and two attributes: file and line of a test case are in
// neither, but GitLab, CircleCI and actions of GitHub read them.
var junitShape = map[string]struct{ children, must, may string }{
	"":           {children: "testsuites"},
	"testsuites": {"testsuite", "", "name tests failures errors time"},
	"testsuite":  {"properties testcase system-out system-err", "name tests failures errors", "skipped time timestamp hostname id package"},
	"testcase":   {"skipped error failure system-out system-err", "name", "classname time file line"},
	"failure":    {"", "", "type message"},
	"skipped":    {"", "", "type message"},
}

// checkJUnit checks the shape of the text, and that the numbers are those of the cases.
func checkJUnit(t *testing.T, text []byte) {
	t.Helper()
	has := func(list, word string) bool { return slices.Contains(strings.Fields(list), word) }
	type open struct{ name, last string } // last is the latest element in it
	stack := []open{{}}
	number := regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)
	dec := xml.NewDecoder(bytes.NewReader(text))
	for {
		token, err := dec.Token()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		switch e := token.(type) {
		case xml.StartElement:
			name, parent := e.Name.Local, &stack[len(stack)-1]
			order := strings.Fields(junitShape[parent.name].children)
			if !slices.Contains(order, name) {
				t.Errorf("%s has an element %s", parent.name, name)
			}
			if slices.Index(order, name) < slices.Index(order, parent.last) {
				t.Errorf("%s: %s stands behind %s", parent.name, name, parent.last)
			}
			if name == parent.last && (name == "testsuites" || name == "skipped") {
				t.Errorf("%s has two elements %s", parent.name, name)
			}
			parent.last = name
			attributes := ""
			for _, a := range e.Attr {
				attributes += " " + a.Name.Local
				if !has(junitShape[name].must+" "+junitShape[name].may, a.Name.Local) {
					t.Errorf("%s has an attribute %s", name, a.Name.Local)
				}
				if has("tests failures errors skipped time line", a.Name.Local) && !number.MatchString(a.Value) {
					t.Errorf("%s: %s is %q, no number", name, a.Name.Local, a.Value)
				}
			}
			for _, a := range strings.Fields(junitShape[name].must) {
				if !has(attributes, a) {
					t.Errorf("%s has no attribute %s", name, a)
				}
			}
			stack = append(stack, open{name: name})
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
	var got junitSuites
	if err := xml.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	failures, skipped := 0, 0
	for _, c := range got.Suite.Cases {
		if c.Failure != nil {
			failures++
		}
		if c.Skipped != nil {
			skipped++
		}
	}
	if s := got.Suite; s.Tests != len(s.Cases) || s.Failures != failures || s.Skipped != skipped || s.Errors != 0 || got.Tests != s.Tests || got.Failures != s.Failures {
		t.Errorf("the numbers are not those of %d cases, %d failures, %d skipped:\n%.300s", len(s.Cases), failures, skipped, text)
	}
}

func TestJUnit(t *testing.T) {
	dir := repository(t)
	text := run(t, exitcode.Races, "-junit", "-root", dir, sample(t, dir))
	checkJUnit(t, text)
	var got junitSuites
	if err := xml.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if s := got.Suite; s.Tests != 3 || s.Failures != 2 || s.Skipped != 1 || got.Tests != 3 || len(s.Cases) != 3 {
		t.Fatalf("%+v", got)
	}
	c := got.Suite.Cases[0]
	if c.Class != "example.com/repo.v2/bank" || c.File != "bank/my bank.go" || c.Line != 17 || c.Failure == nil || c.Skipped != nil || !strings.Contains(c.Failure.Text, "\nWhy nothing orders them:\n") {
		t.Errorf("case %+v", c)
	}
	if c := got.Suite.Cases[2]; c.Class != "example.com/repo/bank" || c.Failure != nil || c.Skipped == nil || !strings.Contains(c.Name, "<]]>&\uFFFD{0}") {
		t.Errorf("case of the predicted race %+v", c)
	}
	empty := testfile.Write(t, filepath.Join(t.TempDir(), "empty"), "")
	text = run(t, exitcode.OK, "-junit", empty)
	checkJUnit(t, text)
	if !strings.Contains(string(text), `tests="1" failures="0"`) {
		t.Errorf("no report: %s", text)
	}
}

// A file of another kind is named; a folder may hold other files.
func TestNoReports(t *testing.T) {
	dir := t.TempDir()
	name := testfile.Write(t, filepath.Join(dir, "notes.txt"), "hello\n")
	for _, input := range []string{name, dir} {
		var stdout, stderr bytes.Buffer
		if code := Main("v1", []string{input}, &stdout, &stderr); code != exitcode.OK || strings.Contains(stderr.String(), name+": there is no report in it") != (input == name) {
			t.Errorf("%s: code %d, %s", input, code, &stderr)
		}
	}
}

// Painted text is the plain text between escape sequences.
func TestTextColors(t *testing.T) {
	dir := repository(t)
	s := New()
	if err := s.Read(sample(t, dir)); err != nil {
		t.Fatal(err)
	}
	var plain, painted strings.Builder
	for b, style := range map[*strings.Builder]terminal.Style{&plain: false, &painted: true} {
		if err := s.WriteText(b, style); err != nil {
			t.Fatal(err)
		}
	}
	escape := regexp.MustCompile(`\x1b\[\d+m`)
	if escape.MatchString(plain.String()) {
		t.Error("plain text has colours")
	}
	if text := plain.String(); strings.ContainsAny(text, "\x01\r") || !strings.Contains(text, "<]]>&\uFFFD{0}") {
		t.Error("control characters of an expression are in the text")
	}
	if got := escape.ReplaceAllString(painted.String(), ""); got != plain.String() {
		t.Errorf("painted text differs:\n%q\nplain:\n%q", got, plain.String())
	}
	for _, want := range []string{
		terminal.Style(true).Paint(terminal.Bold+terminal.Red, "WARNING: DATA RACE"),
		terminal.Style(true).Paint(terminal.Bold+terminal.Yellow, "WARNING: PREDICTED DATA RACE"),
		terminal.Style(true).Paint(terminal.Bold, "Why nothing orders them:"),
		"\x1b[36m    holding acct.mu (0x2), taken at ",
	} {
		if !strings.Contains(painted.String(), want) {
			t.Errorf("no %q in\n%q", want, painted.String())
		}
	}
}

// A failed write is an error, and -o leaves no half-written file.
func TestOutput(t *testing.T) {
	dir := repository(t)
	name := sample(t, dir)
	out := filepath.Join(t.TempDir(), "races.sarif")
	if text := run(t, exitcode.Races, "-sarif", "-o", out, name); len(text) > 0 {
		t.Errorf("-o and standard output: %s", text)
	}
	sariftest.Check(t, []byte(testfile.Read(t, out)))
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	var errs bytes.Buffer
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	if code := Main("v1", []string{name}, full, &errs); code != exitcode.Failed || !strings.Contains(errs.String(), "no space") {
		t.Errorf("a full disk: exit code %d, %s", code, &errs)
	}
}

func TestParse(t *testing.T) {
	for args, want := range map[string]string{
		"":                  "name a folder or files",
		"-sarif":            "name a folder or files",
		"-sarif -junit x":   "one format at a time, not sarif and junit",
		"-sarif=f x":        "the flag has no value; -o names a file",
		"-format=xml x":     "there are text, json, sarif, github, gitlab, junit",
		"-format=sarf x":    "did you mean sarif?",
		"-gitlb x":          "did you mean -gitlab?",
		"-sarif -format= x": "there are text",
	} {
		var out, errs bytes.Buffer
		if code := Main("v1", strings.Fields(args), &out, &errs); code != exitcode.Usage || !strings.Contains(errs.String(), want) {
			t.Errorf("%q: exit code %d, %s, want %q", args, code, &errs, want)
		}
	}
	if r, err := parse(strings.Fields("-sarif -format=sarif a b")); err != nil || r.format.name != "sarif" || len(r.inputs) != 2 {
		t.Errorf("the same format twice: %+v, %v", r, err)
	}
}

// A folder may have the same reports as text, too. A folder with text alone is an error.
func TestTextBeside(t *testing.T) {
	dir := repository(t)
	name := sample(t, dir)
	folder := t.TempDir()
	testfile.Write(t, filepath.Join(folder, "a.txt"), "WARNING: DATA RACE\n")
	var out, errs bytes.Buffer
	if code := Main("v1", []string{folder}, &out, &errs); code != exitcode.Failed || !strings.Contains(errs.String(), "a.txt: the reports are text") {
		t.Errorf("text alone: exit code %d, %s", code, &errs)
	}
	if err := os.Rename(name, filepath.Join(folder, "b.json")); err != nil {
		t.Fatal(err)
	}
	// A program contains the texts that it writes.
	testfile.Write(t, filepath.Join(folder, "c.test"), "\x7fELF\x00\n{\"type\":\"race\n")
	run(t, exitcode.Races, folder)
}
