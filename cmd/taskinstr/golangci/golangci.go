package golangci

import (
	"fmt"
	"strconv"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"taskinstr/cmd/taskinstr/internal/vettool"
)

// name is that of the linter in .golangci.yml.
const name = "taskinstr"

func init() { register.Plugin(name, New) }

// settings are the linter's settings in .golangci.yml. A pointer is nil if the setting is
// left out.
type settings struct {
	Kept    *bool   `json:"kept"`
	Removed *bool   `json:"removed"`
	Passes  *string `json:"passes"`
}

// A plugin is the linter with its settings.
type plugin struct{ analyzer *analysis.Analyzer }

// New returns the linter for the settings in .golangci.yml, which may be nil.
func New(conf any) (register.LinterPlugin, error) {
	s, err := register.DecodeSettings[settings](conf)
	if err != nil {
		return nil, fmt.Errorf("linter %s: %w; the settings are kept, removed, passes", name, err)
	}
	kept := s.Removed == nil || !*s.Removed
	if s.Kept != nil {
		kept = *s.Kept
	}
	a := vettool.New()
	values := map[string]string{"kept": strconv.FormatBool(kept)}
	if s.Removed != nil {
		values["removed"] = strconv.FormatBool(*s.Removed)
	}
	if s.Passes != nil {
		values["passes"] = *s.Passes
	}
	for key, v := range values {
		if err := a.Flags.Set(key, v); err != nil {
			return nil, fmt.Errorf("linter %s: setting %s: %w", name, key, err)
		}
	}
	return plugin{a}, nil
}

// BuildAnalyzers implements register.LinterPlugin.
func (p plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	return []*analysis.Analyzer{p.analyzer}, nil
}

// GetLoadMode implements register.LinterPlugin.
func (p plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
