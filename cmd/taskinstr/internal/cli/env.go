package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"taskinstr/cmd/internal/exitcode"
	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/taskinstr/internal/toolexec"
)

// setting is one line of `taskinstr env`.
type setting struct{ name, value string }

func runEnv(o option.Set, args []string, stdout, stderr io.Writer) int {
	asJSON := false
	for _, a := range args {
		if a != "-json" && a != "--json" {
			fmt.Fprintf(stderr, "taskinstr env: unknown argument %s; its only flag is -json\n", a)
			return exitcode.Usage
		}
		asJSON = true
	}
	settings, err := environment(o)
	if err != nil {
		fmt.Fprintf(stderr, "taskinstr env: %v\n", err)
		return exitcode.Failed
	}
	if asJSON {
		m := make(map[string]string)
		for _, s := range settings {
			m[s.name] = s.value
		}
		text, err := json.MarshalIndent(m, "", "\t")
		if err != nil {
			fmt.Fprintf(stderr, "taskinstr env: %v\n", err)
			return exitcode.Failed
		}
		fmt.Fprintf(stdout, "%s\n", text)
		return exitcode.OK
	}
	for _, s := range settings {
		fmt.Fprintf(stdout, "%s=%s\n", s.name, s.value)
	}
	return exitcode.OK
}

// environment collects the settings, in the order in which they are printed.
func environment(o option.Set) ([]setting, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("cannot find its own executable: %w", err)
	}
	id, err := toolexec.Identity()
	if err != nil {
		return nil, fmt.Errorf("cannot read its own executable: %w", err)
	}
	goPath, err := gocmd.Find()
	if err != nil {
		return nil, err
	}
	names := []string{"GOVERSION", "GOROOT", "GOCACHE", "GOOS", "GOARCH", "CGO_ENABLED", "GOFLAGS"}
	env, err := gocmd.Env(goPath, "", names...)
	if err != nil {
		return nil, err
	}
	out := []setting{
		{"TASKINSTR_PATH", self},
		{"TASKINSTR_VERSION", toolexec.Version()},
		{"TASKINSTR_ID", id},
		{"TASKINSTR_GO", runtime.Version()},
		{"TASKINSTR_OPTIONS", strings.Join(o.Args(), " ")},
		{"TASKINSTR", os.Getenv("TASKINSTR")},
		{"GORACE", os.Getenv("GORACE")},
		{"GO", goPath},
	}
	for _, n := range names {
		out = append(out, setting{n, env[n]})
	}
	supported := "yes"
	if err := toolexec.CheckGo(env["GOVERSION"]); err != nil {
		supported = "no: " + err.Error()
	}
	return append(out, setting{"SUPPORTED", supported}), nil
}
