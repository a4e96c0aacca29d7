package baseline

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"taskinstr/cmd/internal/testfile"
)

func write(t *testing.T, text string) string {
	return testfile.Write(t, filepath.Join(t.TempDir(), "known"), text)
}

func TestUpdateKeepsLines(t *testing.T) {
	name := write(t, `# Ours.

# above c
cccccccccccccccc until=2027-01-31 reason="a \"b\" # c" # race: x
aaaaaaaaaaaaaaaa
# at the end
`)
	f, err := Read(name)
	if err != nil {
		t.Fatal(err)
	}
	f.Add("bbbbbbbbbbbbbbbb", "race: write of n in p.f, read of n in p.g")
	if err := f.Write(); err != nil {
		t.Fatal(err)
	}
	got, _ := os.ReadFile(name)
	want := `# Ours.

aaaaaaaaaaaaaaaa
# at the end
bbbbbbbbbbbbbbbb reason="" # race: write of n in p.f, read of n in p.g
# above c
cccccccccccccccc until=2027-01-31 reason="a \"b\" # c" # race: x
`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if f, err = Read(name); err != nil || len(f.Entries) != 3 {
		t.Fatal(f, err)
	}
	if e := f.Find("cccccccccccccccc"); e == nil || e.Reason != `a "b" # c` || f.Place(e) != name+":7" {
		t.Errorf("entry %+v", e)
	}
	if f.Find("dddddddddddddddd") != nil {
		t.Error("an entry that is not in the file")
	}
}

func TestMissing(t *testing.T) {
	name := filepath.Join(t.TempDir(), "folder", "known")
	f, err := Read(name)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	f.Add("bbbbbbbbbbbbbbbb", "race")
	if err := f.Write(); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(name); !strings.HasPrefix(string(text), "# Known reports") {
		t.Errorf("%s", text)
	}
	if f, err = Read(name); err != nil || len(f.Entries) != 1 {
		t.Error(f, err)
	}
}

func TestExpired(t *testing.T) {
	e, err := parseEntry("aaaaaaaaaaaaaaaa until=2027-03-31")
	if err != nil {
		t.Fatal(err)
	}
	last := time.Date(2027, 3, 31, 23, 59, 59, 0, time.UTC)
	if e.Expired(last) || !e.Expired(last.Add(time.Second)) {
		t.Error("the entry does not end with its last day")
	}
}

func TestErrors(t *testing.T) {
	for line, want := range map[string]string{
		"<<<<<<< HEAD":                            `"<<<<<<<" is no fingerprint`,
		"AAAAAAAAAAAAAAAA":                        "is no fingerprint",
		"aaaaaaaaaaaaaaaa until=31.3.2027":        `the day "31.3.2027" is not`,
		"aaaaaaaaaaaaaaaa reason=x":               "the reason is not",
		`aaaaaaaaaaaaaaaa reason="" until=2027-1`: `"until=2027-1" is unexpected`,
		"bbbbbbbbbbbbbbbb":                        "line 2 has the same fingerprint",
	} {
		name := write(t, "# c\nbbbbbbbbbbbbbbbb\n"+line+"\n")
		if _, err := Read(name); err == nil || !strings.Contains(err.Error(), name+":3: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", line, err, want)
		}
	}
}
