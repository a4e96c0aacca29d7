package recipes

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
	"go.yaml.in/yaml/v4"

	"taskinstr/cmd/internal/testfile"
	"taskinstr/cmd/taskinstr/golangci"
)

// repo is the root of the module.
const repo = "../../../.."

func read(t *testing.T, name string) string {
	t.Helper()
	return testfile.Read(t, filepath.Join(repo, "examples", filepath.FromSlash(name)))
}

// decode reads YAML whose keys are all known.
func decode(t *testing.T, name string, v any) {
	t.Helper()
	d := yaml.NewDecoder(strings.NewReader(read(t, name)))
	d.KnownFields(true)
	if err := d.Decode(v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// An action is the metadata of a composite action, as GitHub documents it.
type action struct {
	Name, Description, Author string
	Branding                  struct{ Icon, Color string }
	Inputs                    map[string]struct {
		Description, Default string
		Required             bool
	}
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []step
	}
}

type step struct {
	Name, ID, If, Uses, Shell, Run string
	Dir                            string `yaml:"working-directory"`
	With, Env                      map[string]string
}

// The action has the keys of a composite action. Each expression refers to what exists, and no
// script has an expression in it, through which an input could become a command.
func TestAction(t *testing.T) {
	var a action
	decode(t, "ci/github/action.yml", &a)
	if a.Name == "" || a.Description == "" || a.Runs.Using != "composite" || len(a.Runs.Steps) < 3 {
		t.Fatalf("%+v", a)
	}
	known := map[string]bool{}
	for name, in := range a.Inputs {
		known["inputs."+name] = true
		if in.Description == "" {
			t.Errorf("input %s has no description", name)
		}
	}
	output := regexp.MustCompile(`(?m)echo "(\w+)=.*(?:>>"\$GITHUB_OUTPUT"|$)`)
	refers := regexp.MustCompile(`\b(?:inputs\.[\w-]+|steps\.\w+\.outputs\.\w+)`)
	used := map[string]bool{}
	check := func(where, text string) {
		for _, r := range refers.FindAllString(text, -1) {
			used[r] = true
			if !known[r] {
				t.Errorf("%s refers to %s, which does not exist there", where, r)
			}
		}
	}
	for _, s := range a.Runs.Steps {
		check(s.Name, s.If)
		check(s.Name, s.Dir)
		for _, v := range s.With {
			check(s.Name, v)
		}
		for _, v := range s.Env {
			check(s.Name, v)
		}
		if (s.Run == "") == (s.Uses == "") || (s.Run == "") != (s.Shell == "") {
			t.Errorf("step %s: run with shell, or uses", s.Name)
		}
		if s.Uses != "" && !regexp.MustCompile(`^[\w-]+/[\w-]+(/[\w-]+)*@v\d+$`).MatchString(s.Uses) {
			t.Errorf("step %s uses %s", s.Name, s.Uses)
		}
		if strings.Contains(s.Run, "${{") {
			t.Errorf("step %s has an expression in its script", s.Name)
		}
		checkShell(t, s.Name, s.Run)
		scripts := s.Run
		for _, m := range regexp.MustCompile(`\$GITHUB_ACTION_PATH/([\w.]+)"`).FindAllStringSubmatch(s.Run, -1) {
			scripts += read(t, "ci/github/"+m[1])
		}
		for _, m := range output.FindAllStringSubmatch(scripts, -1) {
			known["steps."+s.ID+".outputs."+m[1]] = true
		}
	}
	for name, out := range a.Outputs {
		check("output "+name, out.Value)
	}
	for name := range a.Inputs {
		if !used["inputs."+name] {
			t.Errorf("input %s has no effect", name)
		}
	}
}

// checkShell reports what sh does not understand.
func checkShell(t *testing.T, name, text string) {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Logf("%s: no sh on PATH, the syntax is not checked", name)
		return
	}
	cmd := exec.Command(sh, "-n")
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", name, err, out)
	}
}

// actionlint finds no fault in the workflow, with the action of this repository in the place of
// the published one.
func TestWorkflow(t *testing.T) {
	const published, own = "OWNER/taskinstr/examples/ci/github@main", "./examples/ci/github"
	text := read(t, "ci/github/workflow.yml")
	if strings.Count(text, published) != 1 {
		t.Fatalf("the workflow does not use %s", published)
	}
	text = strings.Replace(text, published, own, 1)
	if errs := lintWorkflow(t, text); len(errs) > 0 {
		t.Errorf("actionlint: %v", errs)
	}
	// The action is read: an input that it lacks is an error.
	if errs := lintWorkflow(t, strings.Replace(text, "flags:", "flag:", 1)); len(errs) != 1 || !strings.Contains(errs[0].Message, `input "flag" is not defined`) {
		t.Errorf("with an unknown input: %v", errs)
	}
}

func lintWorkflow(t *testing.T, text string) []*actionlint.Error {
	t.Helper()
	root, err := filepath.Abs(repo)
	if err != nil {
		t.Fatal(err)
	}
	project, err := actionlint.NewProject(root)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	l, err := actionlint.NewLinter(&out, &actionlint.LinterOptions{WorkingDir: root})
	if err != nil {
		t.Fatal(err)
	}
	errs, err := l.Lint(filepath.Join(root, ".github", "workflows", "races.yml"), []byte(text), project)
	if err != nil {
		t.Fatal(err)
	}
	return errs
}

// A job is a job of GitLab, with the keys that the template has.
type job struct {
	Stage     string
	Variables map[string]string
	Cache     struct {
		Key   string
		Paths []string
	}
	Before    []string `yaml:"before_script"`
	Script    []string
	After     []string `yaml:"after_script"`
	Artifacts struct {
		When     string
		Paths    []string
		ExposeAs string `yaml:"expose_as"`
		Reports  struct{ Codequality, Junit string }
	}
}

// The template has the keys of a job, its lines are shell, and it keeps the files that it writes.
func TestGitLab(t *testing.T) {
	var jobs map[string]job
	decode(t, "ci/gitlab/taskinstr.gitlab-ci.yml", &jobs)
	j, ok := jobs[".taskinstr"]
	if !ok || len(jobs) != 1 {
		t.Fatalf("%d jobs", len(jobs))
	}
	lines := strings.Join(slices.Concat(j.Before, j.Script, j.After), "\n")
	checkShell(t, "gitlab", lines)
	for _, file := range append(j.Artifacts.Paths, j.Artifacts.Reports.Codequality, j.Artifacts.Reports.Junit) {
		if !strings.Contains(lines, "-o "+file+" ") {
			t.Errorf("no line writes %s", file)
		}
	}
	if j.Cache.Key == "" || !strings.Contains(j.Variables["GOCACHE"], j.Cache.Paths[0][:len(j.Cache.Paths[0])-1]) {
		t.Errorf("the cache %+v does not hold GOCACHE=%s", j.Cache, j.Variables["GOCACHE"])
	}
	for _, p := range append(j.Cache.Paths, j.Artifacts.Paths...) {
		if !filepath.IsLocal(p) {
			t.Errorf("%s is outside of the project, and GitLab keeps no such file", p)
		}
	}
	for name := range j.Variables {
		if !strings.Contains(lines, "$"+name) && !slices.Contains([]string{"GOCACHE", "GOMODCACHE"}, name) {
			t.Errorf("variable %s has no effect", name)
		}
	}
}

func TestPreCommit(t *testing.T) {
	var config struct {
		Repos []struct {
			Repo  string
			Hooks []struct {
				ID, Name, Language, Entry string
				Types                     []string
				PassFilenames             bool `yaml:"pass_filenames"`
			}
		}
	}
	decode(t, "ci/pre-commit/pre-commit-config.yaml", &config)
	if len(config.Repos) != 1 || config.Repos[0].Repo != "local" || len(config.Repos[0].Hooks) != 1 {
		t.Fatalf("%+v", config)
	}
	if h := config.Repos[0].Hooks[0]; h.ID == "" || h.Name == "" || h.Entry == "" || h.Language != "system" {
		t.Errorf("%+v", h)
	}
	for _, name := range []string{"ci/pre-commit/pre-commit", "ci/cache-key.sh", "ci/github/test.sh"} {
		checkShell(t, name, read(t, name))
	}
}

// The plugin accepts the settings in the configuration of golangci-lint.
func TestGolangci(t *testing.T) {
	var custom struct {
		Version, Name, Destination string
		Plugins                    []struct{ Module, Import, Version, Path string }
	}
	decode(t, "ci/golangci/custom-gcl.yml", &custom)
	if p := custom.Plugins; len(p) != 1 || p[0].Module != "taskinstr" || p[0].Import != "taskinstr/cmd/taskinstr/golangci" || p[0].Path == "" {
		t.Errorf("%+v", custom)
	}
	var config struct {
		Version string
		Linters struct {
			Enable   []string
			Settings struct {
				Custom map[string]struct {
					Type, Description string
					Settings          any
				}
			}
		}
	}
	decode(t, "ci/golangci/golangci.yml", &config)
	linter := config.Linters.Settings.Custom["taskinstr"]
	if config.Version != "2" || linter.Type != "module" || !slices.Contains(config.Linters.Enable, "taskinstr") {
		t.Errorf("%+v", config)
	}
	if _, err := golangci.New(linter.Settings); err != nil {
		t.Error(err)
	}
}

func TestVSCode(t *testing.T) {
	tasks, err := Tasks([]byte(read(t, "editor/vscode/tasks.json")))
	if err != nil || len(tasks) != 2 {
		t.Fatalf("%d tasks, %v", len(tasks), err)
	}
	summary := `ok  	example.com/bank	0.1s

taskinstr: 1 data race, 1 predicted data race

race 00000000000000a1, 3 reports
  atomic write of m[a at b] in bank.Use at bank dir/bank.go:12:2
  read of n in bank.Use at bank.go:13
  in bank.TestUse

predicted race 00000000000000b2
  write of v in bank.Use at C:\src\bank.go:14:2
  write of v in bank.Use at an unknown place
`
	for _, test := range []struct {
		task   int
		output string
		want   []string
	}{
		{0, summary, []string{
			"bank dir/bank.go:12:2: error: atomic write of m[a at b] in bank.Use [00000000000000a1]",
			"bank.go:13: error: read of n in bank.Use [00000000000000a1]",
			`C:\src\bank.go:14:2: warning: write of v in bank.Use [00000000000000b2]`,
		}},
		{1, "What is accessed:\n  write of a.b (field b of A) at /x/y.go:23:2\n    holding a.mu (field mu of A, 0x1), taken at /x/y.go:21:2\n  read of a.b (field b of A) at /x/y.go:28:9\nWhy nothing orders them:\n  goroutine 7 holds a.mu, goroutine 8 holds no lock\n", []string{
			"/x/y.go:23:2: error: write of a.b (field b of A)",
			"/x/y.go:28:9: error: read of a.b (field b of A)",
		}},
	} {
		got, err := tasks[test.task].Problems(test.output)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: %v\n%s\nwant\n%s", tasks[test.task].Label, err, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
	var settings map[string]any
	if err := json.Unmarshal([]byte(read(t, "editor/vscode/settings.json")), &settings); err != nil || settings["go.testFlags"] == nil {
		t.Errorf("settings: %v", err)
	}
}
