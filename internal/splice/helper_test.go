package splice

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestHelperFile vets the file of helpers, which no build contains.
func TestHelperFile(t *testing.T) {
	// unsafeptr does not know how _ti_gnext keeps a pointer from escaping.
	out, err := exec.Command("go", "vet", "-tags=taskinstr_helpers", "-unsafeptr=false", "./files").CombinedOutput()
	if err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
}

// TestHelpers looks at the text of each helper as the generated file has it.
func TestHelpers(t *testing.T) {
	formula := regexp.MustCompile(`0xff8`)
	if n := len(formula.FindAllString(helperSource, -1)); n != 1 {
		t.Errorf("the filter's formula stands %d times in the file of helpers, want once", n)
	}
	tests := 0
	for name, h := range helpers() {
		text := helperText(name, false, false)
		if strings.Contains(text, entryMacro) {
			t.Errorf("%s calls %s:\n%s", name, entryMacro, text)
		}
		tests += len(formula.FindAllString(text, -1))
		for _, n := range h.needs {
			if !isHelper(n) {
				t.Errorf("%s needs %s, which is no helper", name, n)
			}
		}
	}
	if want := 6; tests != want {
		t.Errorf("%d helpers test the filter, want %d", tests, want)
	}
	for name, want := range map[string][]string{
		"_ti_r": nil, "_ti_copys": {"_ti_rb", "_ti_value", "_ti_ws"}, "_ti_late": {"_ti_m"}, "_ti_rg": {"_ti_gather", "_ti_gmiss"}, "_ti_m": {"_ti_mcall"},
	} {
		got := slices.Clone(helpers()[name].needs)
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s needs %q, want %q", name, got, want)
		}
	}
	want := "\n// _ti_r checks a read of *p in a loop. The test of the filter is inlined: the compiler\n" +
		"// takes calls of a parameter for cheap, so the check comes as one.\n" +
		"func _ti_r[T interface{}](t *_ti_task, check _ti_checker, p *T, s *uint32) *T {\n" +
		"\tif unsafe.Sizeof(*p) >= 64 || (*(*uint64)(unsafe.Add(t.filter, (uintptr(unsafe.Pointer(p))^uintptr(unsafe.Pointer(p))<<9)&0xff8)) ^ t.key ^ uint64(uintptr(unsafe.Pointer(p))))<<1 != uint64(unsafe.Sizeof(*p))<<49 {\n" +
		"\t\tcheck(t, unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)\n\t}\n\treturn p\n}\n"
	if got := helperText("_ti_r", false, false); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func BenchmarkHelpers(b *testing.B) {
	for range b.N {
		parseHelpers()
	}
}
