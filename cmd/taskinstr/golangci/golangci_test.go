package golangci

import (
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"
)

// The settings become the flags of the analyzer. By default only kept checks are reported.
func TestSettings(t *testing.T) {
	for _, test := range []struct {
		conf any
		want string // kept, removed, passes
	}{
		{nil, "true false all"},
		{map[string]any{"passes": "none"}, "true false none"},
		{map[string]any{"removed": true}, "false true all"},
		{map[string]any{"kept": false}, "false false all"},
	} {
		build, err := register.GetPlugin(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := build(test.conf)
		if err != nil {
			t.Fatal(err)
		}
		list, err := p.BuildAnalyzers()
		if err != nil || len(list) != 1 || p.GetLoadMode() != register.LoadModeTypesInfo {
			t.Fatalf("%v, %d analyzers, mode %s", err, len(list), p.GetLoadMode())
		}
		var got []string
		for _, flag := range []string{"kept", "removed", "passes"} {
			got = append(got, list[0].Flags.Lookup(flag).Value.String())
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%v: flags %s, want %s", test.conf, got, test.want)
		}
	}
	for _, conf := range []any{map[string]any{"kep": true}, map[string]any{"kept": "yes"}, "x"} {
		if _, err := New(conf); err == nil || !strings.Contains(err.Error(), "the settings are kept, removed, passes") {
			t.Errorf("%v: error %v", conf, err)
		}
	}
}
