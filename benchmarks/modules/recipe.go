package modules

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
)

// A Kind is a group of recipes that are measured together.
type Kind string

const (
	Modules Kind = "modules" // programs of all sorts; the kind of recipes that name none
	Codecs  Kind = "codecs"  // loops over bytes, pixels, samples and vectors
)

// A Recipe describes a program of a real module.
type Recipe struct {
	Name    string
	Kind    Kind
	Module  string
	Version string
	// Also lists the driver's other imported modules as "module@version".
	Also []string
	// Tags are build tags. They select the module's Go code in place of its assembly, whose
	// accesses no detector sees.
	Tags []string
	// Tests selects the tests to be run; nil selects the driver testdata/NAME.go.
	Tests *Tests
}

// Tests selects tests of one package.
type Tests struct {
	Package string // its folder in the module
	// Flags are further flags of the test binary, after -test.short and -test.timeout.
	Flags []string
}

//go:embed testdata
var drivers embed.FS

// shared has the functions of all drivers.
const shared = "testdata/shared/shared.go"

// driver returns the source of the recipe's driver.
func (r Recipe) driver() ([]byte, error) { return drivers.ReadFile("testdata/" + r.Name + ".go") }

// at returns the module with its version, in the form of the go command.
func (r Recipe) at() string { return r.Module + "@" + r.Version }

// Of returns the recipes of a kind.
func Of(k Kind) (list []Recipe) {
	for _, r := range Recipes {
		if r.Group() == k {
			list = append(list, r)
		}
	}
	return list
}

// Group returns the kind of r.
func (r Recipe) Group() Kind { return cmp.Or(r.Kind, Modules) }

// Find returns the recipe with a name.
func Find(name string) (Recipe, error) {
	i := slices.IndexFunc(Recipes, func(r Recipe) bool { return r.Name == name })
	if i < 0 {
		return Recipe{}, fmt.Errorf("no recipe %q", name)
	}
	return Recipes[i], nil
}
