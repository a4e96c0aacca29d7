package rt

import (
	"io/fs"
	"testing"
)

// The files of an engine's folders and those of files/runtime have different names: none stands
// for another one. Each folder of files/engine is one engine's at least.
func TestEngineFiles(t *testing.T) {
	used := map[string]bool{}
	for name, e := range engines {
		seen := map[string]string{}
		for _, folder := range append([]string{"files/runtime"}, e.paths()...) {
			used[folder] = true
			list, err := fs.ReadDir(files, folder)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range list {
				if other, ok := seen[f.Name()]; ok {
					t.Errorf("engine %q: %s is in %s and in %s", name, f.Name(), other, folder)
				}
				seen[f.Name()] = folder
			}
		}
	}
	list, err := fs.ReadDir(files, "files/engine")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if !used["files/engine/"+f.Name()] {
			t.Errorf("no engine takes files/engine/%s", f.Name())
		}
	}
}
