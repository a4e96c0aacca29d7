package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"taskinstr/cmd/internal/testfile"
	"taskinstr/cmd/taskinstr/internal/toolexec"
	"taskinstr/optimize"
)

// repo is the root of the module.
const repo = "../../../.."

// documents returns the texts of the documents at the root and below docs, by their paths in
// the repository.
func documents(t *testing.T) map[string]string {
	t.Helper()
	var names []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "docs/*/*/*.md"} {
		list, err := filepath.Glob(repo + "/" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, list...)
	}
	texts := map[string]string{}
	for _, name := range names {
		path, err := filepath.Rel(repo, name)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.ToSlash(path)] = testfile.Read(t, name)
	}
	return texts
}

// section returns the part of a document from one heading to the next of the same level.
func section(t *testing.T, text, heading string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, "\n"+heading+"\n")
	if !ok {
		t.Fatalf("no heading %q", heading)
	}
	marks, _, _ := strings.Cut(heading, " ")
	rest, _, _ = strings.Cut(rest, "\n"+marks+" ")
	return rest
}

// quoted matches a word in a document's code font.
var quoted = regexp.MustCompile("`([^`\n]+)`")

// Files and folders that documents name exist.
func TestDocumentsPaths(t *testing.T) {
	texts := documents(t)
	path := regexp.MustCompile(`^(cmd|detector|docs|examples|internal/(nearest|pace|peak|site|splice)|benchmarks|optimize|polyhedral|rt|ssapass|testdata)/[\w./-]+$`)
	placeholder := regexp.MustCompile(`\b[A-Z]{3,}\b`) // detector/NAME
	for name, text := range texts {
		n := 0
		for _, m := range quoted.FindAllStringSubmatch(text, -1) {
			if !path.MatchString(m[1]) || placeholder.MatchString(m[1]) {
				continue
			}
			n++
			if _, err := os.Stat(filepath.Join(repo, filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if name == "docs/architecture.md" && n < 25 {
			t.Errorf("%s: %d paths", name, n)
		}
	}
}

// The functions of the runtime that instrumented code calls are declared.
func TestDocumentsRuntime(t *testing.T) {
	text := section(t, documents(t)["docs/architecture.md"], "## 2. Contract: instrumented source ↔ runtime")
	_, table, _ := strings.Cut(text, "| function | contract |")
	table, _, _ = strings.Cut(table, "\n\n")
	var files []string
	for _, folder := range []string{"runtime", "engine/parallel"} {
		list, err := filepath.Glob(repo + "/rt/files/" + folder + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, list...)
	}
	var source strings.Builder
	for _, name := range files {
		source.WriteString(testfile.Read(t, name))
	}
	names := regexp.MustCompile("`(taskinstr_\\w+)`").FindAllStringSubmatch(table, -1)
	if len(names) < 10 {
		t.Fatalf("%d functions in the table", len(names))
	}
	for _, m := range names {
		if !strings.Contains(source.String(), "\nfunc "+m[1]+"(") {
			t.Errorf("rt/files has no function %s", m[1])
		}
	}
}

// The README states the supported platforms and versions, and docs/use/passes.md the passes, as the
// command has them.
func TestDocumentsReadme(t *testing.T) {
	text := documents(t)["README.md"]
	for _, want := range []string{
		"Go " + toolexec.OldestGo + " to " + toolexec.NewestGo,
		strings.Join(toolexec.Systems(), ", ") + " on " + strings.Join(toolexec.Architectures(), ", "),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("README.md does not state %q", want)
		}
	}
	rows := regexp.MustCompile("(?m)^\\| `(\\w+)` \\|").FindAllStringSubmatch(documents(t)["docs/use/passes.md"], -1)
	var listed, passes []string
	for _, row := range rows {
		listed = append(listed, row[1])
	}
	for _, p := range optimize.Passes {
		passes = append(passes, p.Name)
	}
	if !slices.Equal(listed, passes) {
		t.Errorf("docs/use/passes.md lists the passes %q, the table has %q", listed, passes)
	}
}

// docs/design/dependencies.md has a row for each module that go.mod requires directly.
func TestDocumentsDependencies(t *testing.T) {
	mod := testfile.Read(t, repo+"/go.mod")
	var required, listed []string
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) v\S+$`).FindAllStringSubmatch(mod, -1) {
		required = append(required, m[1])
	}
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(documents(t)["docs/design/dependencies.md"], -1) {
		listed = append(listed, m[1])
	}
	slices.Sort(required)
	slices.Sort(listed)
	if len(required) == 0 || !slices.Equal(required, listed) {
		t.Errorf("go.mod requires %s, docs/design/dependencies.md lists %s", strconv.Quote(strings.Join(required, " ")), strconv.Quote(strings.Join(listed, " ")))
	}
}
