package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// reports [-accessed] FROM FILE writes the race reports in FROM into a file. It leaves out
// details that differ between runs, machines and versions of Go, and writes JSON with one
// line for each value. It checks that the fingerprints of JSON events agree with
// docs/use/report-format.md. With -accessed it writes only the accesses of the reports.
func reports(ts *testscript.TestScript, neg bool, args []string) {
	short := len(args) > 0 && args[0] == "-accessed"
	if short {
		args = args[1:]
	}
	if neg || len(args) != 2 {
		ts.Fatalf("usage: reports [-accessed] from file")
	}
	var b strings.Builder
	inside := false
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		const banner = "==================\n"
		switch {
		case strings.HasPrefix(line, `{"type":`):
			if err := checkFingerprint(line); err != nil {
				ts.Fatalf("%v in %s", err, line)
			}
			var indented bytes.Buffer
			ts.Check(json.Indent(&indented, []byte(line), "", "\t"))
			b.Write(indented.Bytes())
		case line == banner:
			inside = !inside
			b.WriteString(line)
		case inside:
			b.WriteString(line)
		}
	}
	text := b.String()
	if short {
		text = accessed(text)
	}
	text = normalize(text, ts.Getenv("REALROOT"))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o666))
}

// jsonLines FILE asserts that each line is a JSON object.
func jsonLines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: jsonlines file")
	}
	n := 0
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			ts.Fatalf("%v in %s", err, line)
		}
		n++
	}
	if n == 0 {
		ts.Fatalf("%s has no line", args[0])
	}
}

// accessed returns the paragraphs of reports that name the accesses, each pair of accesses
// once.
func accessed(text string) string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, report := range strings.Split(text, "\nWhat is accessed:\n")[1:] {
		pair, _, _ := strings.Cut(report, "\nWhy ")
		if !seen[pair] {
			b.WriteString(pair + "\n\n")
		}
		seen[pair] = true
	}
	return b.String()
}

var (
	addressRE   = regexp.MustCompile(`0x[0-9a-f]{12}`)
	goroutineRE = regexp.MustCompile(`oroutine (\d+)|oroutines (\d+) and (\d+)|"goroutine": (\d+)`)
	stateRE     = regexp.MustCompile(`\((?:running|finished)\) created|"finished": (?:true|false)`)
	offsetRE    = regexp.MustCompile(` \+0x[0-9a-f]+`)
	testmainRE  = regexp.MustCompile(`_testmain\.go:\d+`)
	lookupRE    = regexp.MustCompile(`runtime\.mapaccess[12]`)
)

// normalize numbers addresses and goroutines in the order of their appearance. It leaves
// out offsets, states of goroutines, names and lines of the standard library's files,
// lines of the file that go test generates, and the name of the map lookup function.
func normalize(text, goroot string) string {
	text = offsetRE.ReplaceAllString(text, "")
	text = testmainRE.ReplaceAllString(text, "_testmain.go")
	text = lookupRE.ReplaceAllString(text, "runtime.mapaccess")
	std := regexp.QuoteMeta(goroot) + `[^:"]*`
	text = regexp.MustCompile(std+`:\d+(?::\d+)?`).ReplaceAllString(text, "$$GOROOT")
	text = regexp.MustCompile(`(`+std+`)(",\s*"line": )\d+`).ReplaceAllString(text, `$$GOROOT${2}0`)
	text = stateRE.ReplaceAllStringFunc(text, func(s string) string {
		return strings.NewReplacer("finished)", "running)", "true", "false").Replace(s)
	})
	const first = 7
	addresses := map[string]string{}
	text = addressRE.ReplaceAllStringFunc(text, func(a string) string {
		if addresses[a] == "" {
			addresses[a] = fmt.Sprintf("0x%012x", first+len(addresses))
		}
		return addresses[a]
	})
	names := map[string]string{"1": "1"} // the main goroutine's
	var b strings.Builder
	end := 0
	for _, m := range goroutineRE.FindAllStringSubmatchIndex(text, -1) {
		for g := 2; g < len(m); g += 2 {
			if m[g] < 0 {
				continue
			}
			n := text[m[g]:m[g+1]]
			if names[n] == "" {
				names[n] = strconv.Itoa(first - 1 + len(names))
			}
			b.WriteString(text[end:m[g]] + names[n])
			end = m[g+1]
		}
	}
	return b.String() + text[end:]
}

// An access holds the parts of an access that its fingerprint depends on.
type access struct {
	Kind, Expression, Declared string
	OneOf                      []string
	Shortened                  bool
	Stack                      []struct{ Function string }
}

func checkFingerprint(line string) error {
	var e struct {
		Fingerprint      string
		Access, Previous access
	}
	if err := json.Unmarshal([]byte(line), &e); err != nil {
		return err
	}
	var digests []string
	for _, a := range []access{e.Access, e.Previous} {
		text := a.Kind + "\n" + a.Expression + strings.Join(a.OneOf, " or ")
		if a.Shortened {
			text += "…"
		}
		text += "\n" + a.Declared + "\n"
		inside := true
		for _, f := range a.Stack {
			path, _, _ := strings.Cut(f.Function, ".") // of std, without dots
			runtimes := strings.HasPrefix(f.Function, "runtime.") || strings.HasPrefix(f.Function, "internal/runtime/")
			syncs := path == "sync" || path == "sync/atomic" || path == "internal/sync"
			if inside && (runtimes || syncs) {
				continue
			}
			inside = false
			text += f.Function + "\n"
			if strings.HasPrefix(f.Function, "main.") || strings.HasPrefix(f.Function, "example.com/") {
				break
			}
		}
		h := fnv.New64a()
		h.Write([]byte(text))
		digests = append(digests, fmt.Sprintf("%016x", h.Sum64()))
	}
	h := fnv.New64a()
	h.Write([]byte(min(digests[0], digests[1]) + max(digests[0], digests[1])))
	if want := fmt.Sprintf("%016x", h.Sum64()); want != e.Fingerprint {
		return fmt.Errorf("fingerprint %s, want %s", e.Fingerprint, want)
	}
	return nil
}
