package docs

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"taskinstr/cmd/internal/testfile"
	"taskinstr/rt"
)

var update = flag.Bool("update", false, "rewrite docs/use/options.md")

// docs/use/options.md is generated from the runtime's tables.
func TestDocumentsOptions(t *testing.T) {
	const name = repo + "/docs/use/options.md"
	want := options(rt.Keys())
	if *update {
		testfile.Write(t, name, want)
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != want {
		t.Errorf("docs/use/options.md needs to be regenerated; run go test ./cmd/taskinstr/internal/docs -update (error %v)", err)
	}
}

// options returns the text of docs/use/options.md.
func options(keys []rt.Key) string {
	var b strings.Builder
	b.WriteString(`# Options of a checked program

A program built with taskinstr reads two variables when it starts: ` + "`GORACE`" + `, the variable of
Go's own race detector, and then ` + "`TASKINSTR`" + `, which takes precedence. The options of builds are
in ` + "`taskinstr help options`" + `. The tables are generated from those of the runtime.

| | ` + "`TASKINSTR`" + ` | ` + "`GORACE`" + ` |
|---|---|---|
| form | ` + "`key=value key=value`" + ` | ` + "`key=value key=value`" + ` |
| what ends an option | space, tab | space, comma, colon, tab, newline, as under ` + "`-race`" + `; so ` + "`log_path=C:\\x`" + ` must be quoted |
| quotes | around a whole value, without spaces in it | ` + "`'…'` or `\"…\"`" + ` around a value that may hold separators |
| unknown key | the program ends with status 2 and a list of the keys | does nothing; ` + "`verbosity=1`" + ` lists unknown keys, as under ` + "`-race`" + ` |
| bad value, missing ` + "`=`" + ` | the program ends with status 2 | the program ends with status 2 (under ` + "`-race`" + ` with ` + "`exitcode`" + `) |

## Options with an effect

| key | variables | effect |
|---|---|---|
`)
	for _, k := range keys {
		where := "`TASKINSTR`"
		switch {
		case k.Idle:
			continue
		case !k.Taskinstr:
			where = "`GORACE`"
		case k.Gorace:
			where = "both"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", k.Name, where, strings.ReplaceAll(k.Text, "|", "\\|"))
	}
	b.WriteString(`
Two options differ from ` + "`-race`" + `. ` + "`atexit_sleep_ms`" + ` is 0 by default and not 1000: the program waits
for tasks that can still run (` + "`atexit_wait_ms`" + `), and ends as soon as there are none. If the file of
` + "`log_path`" + ` cannot be created, reports go to standard error and a line says so; ` + "`-race`" + ` ends the
program.

## Options of GORACE without an effect

Go's race detector accepts these options, so a program accepts them too. If a program with such an
option makes a report, it says at its end that the option has no effect; with ` + "`verbosity=1`" + ` it says so
when it starts.

| keys | reason |
|---|---|
`)
	for i := 0; i < len(keys); {
		if !keys[i].Idle {
			i++
			continue
		}
		var names []string
		why := keys[i].Text
		for ; i < len(keys) && keys[i].Idle && keys[i].Text == why; i++ {
			names = append(names, "`"+keys[i].Name+"`")
		}
		fmt.Fprintf(&b, "| %s | %s |\n", strings.Join(names, ", "), why)
	}
	return b.String()
}
