package toolexec

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"taskinstr/cmd/taskinstr/internal/archive"
	"taskinstr/cmd/taskinstr/internal/unit"
	"taskinstr/internal/site"
	"taskinstr/internal/splice"
)

// A package has no checks of reads of stationary fields as long as no other package overwrites values of the struct as a whole
// (splice.Fate.Final). Each archive says which types its package relies on and which it overwrites. The
// linker's call sees all archives, and sets the variables that have the checks made.

// finalMember is the name of the archive member with these types.
const finalMember = "taskinstr.fin"

// finals is the content of the member.
type finals struct {
	Package    string   // as the linker's symbols begin
	Final      []string // types of the package whose values no other package may overwrite
	Overwrites []string // types of other packages, as PATH.NAME
}

// finalMembers returns the member for the archive of a package with a plan. There is none if the plan does not tell the overwritten types.
func finalMembers(path string, plan *splice.Plan) []unit.Bytes {
	if plan == nil || plan.Overwrites == nil {
		return nil
	}
	relied := map[string]bool{}
	for _, f := range plan.Fates {
		if f.Final != "" {
			relied[f.Final] = true
		}
	}
	for _, l := range plan.Loads {
		relied[l.Type] = true
	}
	text, err := json.Marshal(finals{path, slices.Sorted(maps.Keys(relied)), plan.Overwrites})
	if err != nil {
		panic(fmt.Sprintf("toolexec: %v", err)) // texts have no cause to fail
	}
	return []unit.Bytes{{Name: finalMember, Data: text}}
}

// setFinals adds the linker's flags that set the variables of types whose values other packages overwrite. cfg is the import
// configuration of the linker. If the archive of a package has no member, all variables are set.
func setFinals(flags []string, cfg []byte) ([]string, error) {
	var list []finals
	overwritten, all := map[string]bool{}, false
	for path, file := range packageFiles(cfg) {
		if _, skip := site.Skip(path); skip {
			continue
		}
		data, err := archive.Read(file, finalMember)
		if err != nil {
			return nil, err
		}
		var f finals
		if data == nil || json.Unmarshal(data, &f) != nil {
			all = true
			continue
		}
		list = append(list, f)
		for _, t := range f.Overwrites {
			overwritten[t] = true
		}
	}
	var set []string
	for _, f := range list {
		for _, t := range f.Final {
			if all || overwritten[f.Package+"."+t] {
				set = append(set, "-X", f.Package+"."+splice.FinalVar(t)+"=1")
			}
		}
	}
	return append(set, flags...), nil
}
