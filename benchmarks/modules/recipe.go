package modules

import (
	"embed"
	"fmt"
	"slices"
)

// A Recipe is one program of a real module.
type Recipe struct {
	Name    string
	Module  string
	Version string
	// Also holds "module@version" of what the driver imports besides Module.
	Also []string
	// Tests says which tests are run; nil stands for the driver testdata/NAME.go.
	Tests *Tests
}

// Tests are tests of one package.
type Tests struct {
	Package string // its folder in the module
	// Flags are those of the test binary, besides -test.short and -test.timeout.
	Flags []string
}

//go:embed testdata/*.go
var drivers embed.FS

// driver returns the source of the recipe's driver.
func (r Recipe) driver() ([]byte, error) { return drivers.ReadFile("testdata/" + r.Name + ".go") }

// at is the module with its version, as the go command has it.
func (r Recipe) at() string { return r.Module + "@" + r.Version }

// Find returns the recipe of that name.
func Find(name string) (Recipe, error) {
	i := slices.IndexFunc(Recipes, func(r Recipe) bool { return r.Name == name })
	if i < 0 {
		return Recipe{}, fmt.Errorf("no recipe %q", name)
	}
	return Recipes[i], nil
}
