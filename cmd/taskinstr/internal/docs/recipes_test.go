package docs

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"taskinstr/cmd/internal/testfile"
)

// block matches a block of a recipe: "go FILE" is a new file, "diff FILE" adds lines to a file behind
// lines that it has, and "sh" has commands.
var block = regexp.MustCompile("(?ms)^```(go|diff|sh) ?(\\S*)\n(.*?)^```$")

// The recipes for a pass and for a detector are carried out in a copy of the module: their files are
// written, their lines added and their commands run.
func TestRecipes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands of recipes need a shell")
	}
	dir := t.TempDir()
	copyModule(t, dir)
	for _, name := range []string{"pass", "detector"} {
		text := testfile.Read(t, repo+"/docs/design/recipes/"+name+".md")
		files, commands := 0, 0
		for _, m := range block.FindAllStringSubmatch(text, -1) {
			file := filepath.Join(dir, filepath.FromSlash(m[2]))
			switch kind, body := m[1], m[3]; kind {
			case "go":
				if _, err := os.Stat(file); err == nil {
					t.Fatalf("%s: %s exists", name, m[2])
				}
				testfile.Write(t, file, body)
				files++
			case "diff":
				if err := patch(file, body); err != nil {
					t.Fatalf("%s: %s: %v", name, m[2], err)
				}
				files++
			case "sh":
				for line := range strings.Lines(body) {
					cmd := exec.Command("sh", "-c", line)
					cmd.Dir = dir
					// With -trimpath the next copy finds the packages in the build cache.
					cmd.Env = append(os.Environ(), "GOFLAGS=-trimpath", "GOWORK=off")
					if out, err := cmd.CombinedOutput(); err != nil {
						t.Errorf("%s: %s: %v\n%s", name, line, err, out)
					} else if strings.Contains(string(out), "no tests to run") {
						t.Errorf("%s: %s: %s", name, line, out)
					}
					commands++
				}
			}
		}
		if files < 5 || commands == 0 {
			t.Errorf("%s: %d files, %d commands", name, files, commands)
		}
	}
}

// patch adds the lines with a plus to a file, behind the lines without, which must be in one place.
func patch(file, diff string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var context, added strings.Builder
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, " ") && added.Len() == 0:
			context.WriteString(line[1:])
		case strings.HasPrefix(line, "+"):
			added.WriteString(line[1:])
		default:
			return fmt.Errorf("%q is no line of the file, or behind an added one", line)
		}
	}
	if n := strings.Count(string(text), context.String()); n != 1 || context.Len() == 0 || added.Len() == 0 {
		return fmt.Errorf("found %d times:\n%s", n, context.String())
	}
	changed := strings.Replace(string(text), context.String(), context.String()+added.String(), 1)
	return os.WriteFile(file, []byte(changed), 0o666)
}

// copyModule copies the files of the module, without those in hidden folders.
func copyModule(t *testing.T, to string) {
	t.Helper()
	err := filepath.WalkDir(repo, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(repo, name)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if rel != "." && strings.HasPrefix(d.Name(), ".") {
				return fs.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		}
		if !d.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), text, 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
}
