package toolexec

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"taskinstr/cmd/internal/option"
)

func TestWithSettings(t *testing.T) {
	mark := strings.Repeat("\xff", modinfoMark)
	cfg := func(info string) string {
		return "packagefile a=/x/a.a\nmodinfo " + strconv.Quote(mark+info+mark) + "\npackagefile b=/x/b.a\n"
	}
	out, err := withSettings([]byte(cfg("path\tm\nbuild\t-tags=race\n")), [][2]string{{"", "v1 x"}, {"passes", "all"}})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(out), "\n")
	text, err := strconv.Unquote(strings.TrimPrefix(lines[1], "modinfo "))
	if err != nil || lines[0] != "packagefile a=/x/a.a" || lines[2] != "packagefile b=/x/b.a" {
		t.Fatalf("%q, %v", lines, err)
	}
	info, err := debug.ParseBuildInfo(strings.Trim(text, "\xff"))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(info.Settings); got != "[{-tags race} {taskinstr v1 x} {taskinstr.passes all}]" {
		t.Errorf("settings %s", got)
	}
	if _, err := withSettings([]byte("modinfo what\n"), nil); err == nil || !strings.Contains(err.Error(), "defect") {
		t.Errorf("an unknown form: %v", err)
	}
	if list := linkedPackages(out, "a"); !slices.Equal(list, []string{"a", "b"}) {
		t.Errorf("packages %q", list)
	}
	test := "packagefile a.test=/x\npackagefile a=/x\npackagefile a_test=/x\npackagefile b_test=/x\n"
	if list := linkedPackages([]byte(test), "a.test"); !slices.Equal(list, []string{"a", "a_test [a.test]", "b_test"}) {
		t.Errorf("packages of a test %q", list)
	}
}

func TestWithoutChains(t *testing.T) {
	msg := "a/b.v2/c%2ed.(*T[a/x.Y]).f: nosplit stack over 792 byte limit\na/b.v2/c%2ed.f<1>\n    grows 8 bytes, calls runtime.x<1>\n        8 bytes over limit\n" +
		"main.g: nosplit stack over 792 byte limit\nmain.g<1>\nlink: too many errors\n"
	short, pkgs := withoutChains([]byte(msg))
	if want := "a/b.v2/c%2ed.(*T[a/x.Y]).f: nosplit stack over 792 byte limit\nmain.g: nosplit stack over 792 byte limit\nlink: too many errors\n"; string(short) != want {
		t.Errorf("messages %q", short)
	}
	if want := []string{"a/b.v2/c.d", "main"}; !slices.Equal(pkgs, want) {
		t.Errorf("packages %q, want %q", pkgs, want)
	}
	if short, pkgs := withoutChains([]byte("  x<1>\n")); string(short) != "  x<1>\n" || pkgs != nil {
		t.Errorf("another message: %q, %q", short, pkgs)
	}
}

// TestUncompressed: debug information is not compressed, unless the user's flags speak of it.
func TestUncompressed(t *testing.T) {
	for flags, want := range map[string]string{
		"-o a -importcfg b -buildmode=exe":    "-compressdwarf=false -o a -importcfg b -buildmode=exe",
		"-o a -importcfg b -s -w":             "-o a -importcfg b -s -w",
		"-o a -importcfg b -w=0":              "-o a -importcfg b -w=0",
		"-o a -importcfg b -compressdwarf=1":  "-o a -importcfg b -compressdwarf=1",
		"-o a -importcfg b --compressdwarf=0": "-o a -importcfg b --compressdwarf=0",
	} {
		c := parseCall("/x/link", append(strings.Fields(flags), "main.a"))
		if got := uncompressed(c, c.flags); strings.Join(got, " ") != want+" main.a" {
			t.Errorf("%s: %q", flags, got)
		}
	}
}

func TestSettings(t *testing.T) {
	for args, want := range map[string]string{
		"":                            "passes=all scope=package pkgs=all",
		"-passes=all -locks=hb":       "passes=all scope=package pkgs=all locks=hb",
		"-scope=program":              "passes=all scope=program pkgs=all",
		"-passes=escape,dominate":     "passes=escape,dominate scope=package pkgs=all",
		"-pkgs=b,a/... -stats=checks": "passes=all scope=package pkgs=a/...,b stats=checks",
		"-pkgs=a -wrapper=marks":      "passes=all scope=package pkgs=a",
		"-passes=none -scope=program": "passes=none pkgs=all",
		"-passes=none":                "passes=none pkgs=all",
	} {
		o, _, err := option.Split(strings.Fields(args))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range settings(o)[1:] {
			got = append(got, s[0]+"="+s[1])
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%s: %s, want %s", args, g, want)
		}
	}
}

func TestCountChecked(t *testing.T) {
	paths := []string{"example.com/x", "runtime", "fmt", "a.com/b"}
	for pkgs, want := range map[string]int{"all": 3, "std": 1, "a.com/...": 1, "runtime": 0} {
		n, known := countChecked(option.Set{Pkgs: strings.Split(pkgs, ",")}, paths)
		if !known || n != want {
			t.Errorf("%s: %d packages, %v, want %d", pkgs, n, known, want)
		}
	}
}
