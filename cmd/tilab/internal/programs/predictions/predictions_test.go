package predictions

import (
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"taskinstr/cmd/internal/tooltest"
	"taskinstr/cmd/tilab/internal/programs"
	"taskinstr/cmd/tilab/internal/programs/random"
)

var flags = random.Define("none", 20, "of each program")

// A case runs in sampledOrders orders, and in as many as mostOrders while a predicted race has not been found to be one.
const (
	sampledOrders = 20
	mostOrders    = 1000
)

// TestPrograms: each predicted race is a race in another order.
func TestPrograms(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the runtime reads and writes no files here")
	}
	tool := tooltest.Tool(t, flags.Tool)
	flags.Each(func(seed uint64, set string) { testProgram(t, tool, seed, set) })
}

func testProgram(t *testing.T, tool string, seed uint64, passes string) {
	text, err := New(seed, flags.Cases)
	if err != nil {
		t.Fatal(err)
	}
	dir := flags.Folder(t.TempDir())
	files := map[string][]byte{"main.go": text, "go.mod": []byte("module example.com/predictions\n\ngo 1.25\n")}
	if err := random.Write(dir, files); err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(t.TempDir(), "predictions.exe")
	tc := programs.Toolchain{Tool: tool}.With(passes)
	if err := tc.Build(t.Context(), dir, "build", "-o", exe); err != nil {
		t.Fatal(err)
	}
	verdicts := make([]verdict, flags.Cases)
	t.Run(fmt.Sprintf("seed=%d,passes=%s", seed, passes), func(t *testing.T) {
		for i := range verdicts {
			name := fmt.Sprintf("case%d", i)
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				v := judge(t, exe, name)
				for x := range variables {
					if v.pending(x) && !v.cut {
						t.Errorf("s.x[%d] is predicted to race, and does in none of %d orders\n%s", x, v.orders, v.predicted[x])
					}
				}
				verdicts[i] = v
			})
		}
	})
	var sum tally
	for _, v := range verdicts {
		sum.add(v)
	}
	t.Logf("seed %d, -passes=%s: %+v", seed, passes, sum)
}

// A verdict holds the results of the runs of a case.
type verdict struct {
	orders    int
	cut       bool              // there are more than mostOrders
	race      [variables]bool   // in some order
	predicted [variables]string // the report of a run that predicted it
}

// pending reports whether x is predicted to race and has not raced.
func (v *verdict) pending(x int) bool { return v.predicted[x] != "" && !v.race[x] }

// A tally counts the orders and races of all cases.
type tally struct{ Orders, Cut, Races, Predicted int }

func (s *tally) add(v verdict) {
	s.Orders += v.orders
	if v.cut {
		s.Cut++
	}
	for x := range variables {
		if v.race[x] {
			s.Races++
		}
		if v.predicted[x] != "" {
			s.Predicted++
		}
	}
}

var variableRE = regexp.MustCompile(`(?m)^  (?:read|write) of s\.x\[(\d)\]`)

// judge runs a case.
func judge(t *testing.T, exe, name string) (v verdict) {
	_, err := programs.EachOrder(t.Context(), t.TempDir(), exe, []string{name}, func(out, errs string, code int) bool {
		if !strings.Contains(out, "done") && !strings.Contains(errs, "asleep") {
			t.Errorf("%s ended with status %d\n%s", name, code, errs)
		}
		for _, r := range programs.ParseReports(errs, nil) {
			m := variableRE.FindStringSubmatch(r.Text)
			if m == nil {
				t.Errorf("%s has a race of something else\n%s", name, r.Text)
				continue
			}
			if x := int(m[1][0] - '0'); r.Tier == programs.Race {
				v.race[x] = true
			} else {
				v.predicted[x] = r.Text
			}
		}
		v.orders++
		v.cut = v.orders == mostOrders
		more := v.orders < sampledOrders
		for x := range variables {
			more = more || v.pending(x)
		}
		return more && !v.cut
	})
	if err != nil {
		t.Error(err)
	}
	return v
}
