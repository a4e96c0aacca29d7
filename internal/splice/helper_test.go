package splice

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestHelperFiles vets the files of helpers, which no build contains.
func TestHelperFiles(t *testing.T) {
	// unsafeptr rejects the way in which _ti_gnext keeps a pointer from escaping.
	for _, tags := range []string{"taskinstr_helpers", "taskinstr_helpers,taskinstr_shadow"} {
		out, err := exec.Command("go", "vet", "-tags="+tags, "-unsafeptr=false", "./files").CombinedOutput()
		if err != nil {
			t.Errorf("go vet -tags=%s: %v\n%s", tags, err, out)
		}
	}
}

// TestHelpers checks the text of each helper in the form that the generated file has.
func TestHelpers(t *testing.T) {
	t.Run("filter", func(t *testing.T) { testHelpers(t, false, "filter.go", `&511`) })
	t.Run("shadow", func(t *testing.T) { testHelpers(t, true, "shadow.go", `t\.base`) })
	for name, want := range map[string][]string{
		"_ti_r": nil, "_ti_copys": {"_ti_rb", "_ti_value", "_ti_ws"}, "_ti_late": {"_ti_m"}, "_ti_rg": {"_ti_gather", "_ti_gmiss"}, "_ti_m": {"_ti_mcall"},
	} {
		got := slices.Clone(helpers(false)[name].needs)
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s needs %q, want %q", name, got, want)
		}
	}
	want := "\n// _ti_r checks a read of *p in a loop. The compiler inlines the test of the filter. It\n" +
		"// regards calls of parameters as cheap, so the check is a parameter.\n" +
		"func _ti_r[T interface{}](t *_ti_task, check _ti_checker, p *T, s *uint32) *T {\n" +
		"\tif unsafe.Sizeof(*p) >= 64 || (t.filter[(uintptr(unsafe.Pointer(p))>>3^uintptr(unsafe.Pointer(p))<<6)&511] ^ t.key ^ uint64(uintptr(unsafe.Pointer(p))))<<1 != uint64(unsafe.Sizeof(*p)%64)<<49 {\n" +
		"\t\tcheck(t, unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)\n\t}\n\treturn p\n}\n"
	if got := helperText("_ti_r", false, false); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// testHelpers looks for the formula of the inline test, which stands once in one file.
func testHelpers(t *testing.T, shadow bool, file, inlineTest string) {
	formula := regexp.MustCompile(inlineTest)
	source, err := helperFiles.ReadFile("files/" + file)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(formula.FindAll(source, -1)); n != 1 {
		t.Errorf("%s has the formula of the inline test %d times, want once", file, n)
	}
	tests := 0
	for name, h := range helpers(shadow) {
		text := helperText(name, false, shadow)
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
	want := 8
	if shadow {
		want = 6 // longer checks have none
	}
	if tests != want {
		t.Errorf("%d helpers test inline, want %d", tests, want)
	}
}

func BenchmarkHelpers(b *testing.B) {
	for range b.N {
		parseHelpers("filter.go")
	}
}
