package main

import (
	"os"
	"path/filepath"
	"strings"
)

// A step is one command of the user.
type step struct {
	title   string
	dir     string   // the folder in which the command runs
	command []string // its words
	env     []string // added to the environment
	before  func() error
	code    int      // the expected exit code
	want    []string // parts of the expected output
	page    bool     // the command serves a page: load it, then interrupt the command
	long    bool     // left out by -short
}

// steps lists the steps in their order.
func steps(p *place) []step {
	reports := filepath.Join(p.base, "reports")
	book := filepath.Join(p.service, "accounts", "accounts.go")
	copied := func(to string, from ...string) func() error {
		return func() error {
			for _, f := range from {
				text, err := os.ReadFile(filepath.Join(p.checkout, "examples", f))
				if err != nil {
					return err
				}
				if err := write(filepath.Join(p.service, to, filepath.Base(f)), text); err != nil {
					return err
				}
			}
			return nil
		}
	}
	return []step{
		{title: "install", dir: p.checkout, command: strings.Fields("go install ./cmd/taskinstr")},
		{title: "help", dir: p.service, command: strings.Fields("taskinstr"), code: 2, want: []string{"taskinstr test ./..."}},
		{title: "README's example", dir: p.checkout, command: strings.Fields("taskinstr run ./examples/bank"), code: 1,
			want: []string{"WARNING: DATA RACE", "read of acct.balance", "Fingerprint: 69a44dc134d58d48", "exit status 66"}},

		{title: "an own module: go mod init", dir: p.service, command: strings.Fields("go mod init example.com/ledger")},
		{title: "an own module: go mod tidy", dir: p.service, command: strings.Fields("go mod tidy")},
		{title: "build the service", dir: p.service, command: strings.Fields("taskinstr build -o ledger .")},
		{title: "test, a race", dir: p.service, command: strings.Fields("taskinstr test ./..."), env: []string{"TASKINSTR_REPORTS=" + reports}, code: 1,
			want: []string{"DATA RACE", "b.deposits", "accounts/accounts.go", "--- FAIL: TestClients", "ok  \texample.com/ledger/accounts"}},
		{title: "the reports again", dir: p.service, command: []string{"taskinstr", "report", reports}, code: 66, want: []string{"b.deposits"}},
		{title: "one file with the reports", dir: p.service, command: []string{"taskinstr", "view", "-o", filepath.Join(p.base, "races.html"), reports}},
		{title: "a page with the reports", dir: p.service, command: []string{"taskinstr", "view", reports}, page: true, code: 0, want: []string{"http://127.0.0.1:"}},
		{title: "what a test hides", dir: p.service, command: strings.Fields("taskinstr test -explore=20 ./..."), code: 1, want: []string{"race bb88f1b8da2deaad", "explored: ", ": 1 race\n"}},

		{title: "a baseline", dir: p.service, command: strings.Fields("taskinstr test -baseline=races.txt -baseline-update ./..."), want: []string{"races.txt"}},
		{title: "CI: test.sh of examples/ci/github", dir: p.service, command: strings.Fields("sh .github/taskinstr/test.sh"),
			before: func() error {
				if err := os.Mkdir(filepath.Join(p.base, "runner"), 0o777); err != nil {
					return err
				}
				return copied(".github/taskinstr", "ci/github/test.sh")()
			},
			env: []string{"RUNNER_TEMP=" + filepath.Join(p.base, "runner"), "GITHUB_WORKSPACE=" + p.service,
				"GITHUB_STEP_SUMMARY=" + filepath.Join(p.base, "summary.md"), "GITHUB_OUTPUT=" + filepath.Join(p.base, "output.txt")},
			code: 1, want: []string{"::error file=accounts/accounts.go"}},
		{title: "CI: with the baseline", dir: p.service, command: strings.Fields("sh .github/taskinstr/test.sh"),
			env: []string{"RUNNER_TEMP=" + filepath.Join(p.base, "runner"), "GITHUB_WORKSPACE=" + p.service, "INPUT_BASELINE=races.txt",
				"GITHUB_STEP_SUMMARY=" + filepath.Join(p.base, "summary.md"), "GITHUB_OUTPUT=" + filepath.Join(p.base, "output.txt")},
			want: []string{"ok  \texample.com/ledger/rpc"}},
		{title: "editor: the command of tests with examples/editor/vscode/settings.json", dir: p.service,
			before:  copied(".vscode", "editor/vscode/settings.json", "editor/vscode/tasks.json"),
			command: strings.Fields("go test -toolexec=taskinstr -tags=race -timeout 5m -run ^TestClients$ example.com/ledger/rpc"), code: 1, want: []string{"WARNING: DATA RACE"}},

		{title: "the race mended: test again", dir: p.service, command: strings.Fields("taskinstr test ./..."),
			before: func() error {
				return replace(book, "\tb.mu.Unlock()\n\tb.deposits++\n", "\tb.deposits++\n\tb.mu.Unlock()\n")
			}, want: []string{"ok  \texample.com/ledger/rpc"}},
		{title: "nothing changed: test again", dir: p.service, command: strings.Fields("taskinstr test ./..."), want: []string{"(cached)"}},
		{title: "lint", dir: p.service, command: strings.Fields("taskinstr lint ./..."), want: []string{"(*Book).Deposit (accounts/accounts.go:17)"}},
		{title: "vet", dir: p.service, command: []string{"go", "vet", "-vettool=" + filepath.Join(p.base, "bin", "taskinstr"), "-taskinstr.kept", "./..."}, long: true, code: 1, want: []string{"accounts/accounts.go:21:2: write of b.deposits: check kept"}},
		{title: "bench", dir: p.service, command: strings.Fields("taskinstr bench -bench=Interest ./accounts"), long: true, want: []string{"Interest"}},
		{title: "the whole program at once", dir: p.service, command: strings.Fields("taskinstr build -scope=program -o ledger ."), long: true},
		{title: "completion", dir: p.service, command: strings.Fields("taskinstr completion bash"), want: []string{"complete"}},
	}
}
