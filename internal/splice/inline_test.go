package splice

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// inlined is a package that uses the helpers as spliced code does.
const inlined = `
var site uint32

type node struct {
	x int
	s []int
	m map[string]int
}

func all(t *_ti_task, p *node, q []int, b []byte, str string) {
	*_ti_w(t, _ti_value, &p.x, &site) = *_ti_r(t, _ti_value, &p.x, &site)
	*_ti_wxl(t, _ti_value, 0, 16, &p.x, &site) = *_ti_rxl(t, _ti_value, 8, 16, &p.x, &site)
	var g _ti_gather
	*_ti_wg(t, _ti_value, _ti_gmissw, &g, &q[1], &site) = *_ti_rg(t, _ti_value, _ti_gmiss, &g, &q[0], &site)
	*_ti_wgd(t, _ti_value, _ti_gmissw, &g, &q[1], &site) = *_ti_rgd(t, _ti_value, _ti_gmiss, &g, &q[0], &site)
	_ti_garray(&g, q)
	_ti_gend(t, _ti_value, _ti_gtake, &g, 0, &site)
	_ = _ti_ap(t, _ti_value, 1, &site, append(q, 1))
	clear(_ti_ws(t, _ti_value, &site, q))
	_ = len(*_ti_rl(t, _ti_value, &p.s, &site))
	_ = cap(*_ti_rc(t, _ti_value, &p.s, &site))
	_ = len(_ti_rm(t, _ti_value, &site, p.m))
	_ = string(_ti_rs(t, _ti_value, &site, b)) == str
	_ti_append(t, _ti_value, &site, &site, q, q)
	_ti_copy(t, _ti_value, &site, &site, q, q)
	_ti_appends(t, _ti_value, &site, &site, b, str)
	_ti_copys(t, _ti_value, &site, &site, b, str)
}

var call = _ti_call{site: &site, name: "Error"}

func dynamic(e error) string { return _ti_i(e, &call).Error() }

func (p *node) get() int  { return *_ti_r1(_ti_value1, &p.x, &site) }
func (p *node) set(x int) { p.x = x; _ti_w1(_ti_value1, &p.x, &site) }

func (p *node) sum(q *node) int { return *_ti_r1(_ti_value1, &p.x, &site) + *_ti_r1(_ti_value1, &q.x, &site) }

func newNode(x int) *node {
	s := make([]int, 0, 32)
	return _ti_w1(_ti_value1, &node{x: x, s: s}, &site)
}

func keptNew() int { return newNode(1).sum(newNode(2)) }

func straight(t *_ti_task, p *node) { *_ti_w0(t, &p.x, &site) = *_ti_r0(t, &p.x, &site) }

func kept(t *_ti_task) int {
	x := 1
	return *_ti_r(t, _ti_value, &x, &site) + *_ti_r1(_ti_value1, &x, &site)
}

func keptSlices(t *_ti_task, xs []byte, str string) int {
	var a, b, c, d [8]byte
	n := _ti_copy(t, _ti_value, &site, &site, a[:], b[:])
	n += _ti_copys(t, _ti_value, &site, &site, c[:], str)
	n += _ti_copy(t, _ti_value, nil, &site, xs, a[:]) + _ti_copy(t, _ti_value, &site, nil, b[:], xs)
	n += len(_ti_append(t, _ti_value, &site, &site, c[:4], d[:]))
	n += len(_ti_appends(t, _ti_value, &site, &site, d[:4], str))
	n += len(_ti_append(t, _ti_value, &site, nil, a[:4], xs)) + len(_ti_append(t, _ti_value, nil, &site, xs, b[:]))
	n += len(_ti_appends(t, _ti_value, &site, nil, a[:4], str)) + len(_ti_appends(t, _ti_value, nil, &site, b[:4], str))
	n += _ti_copys(t, _ti_value, &site, nil, a[:], str) + _ti_copys(t, _ti_value, nil, &site, b[:], str)
	return n
}

func keptParts(t *_ti_task) int {
	var x [2]node
	p := [2]*node{&x[0], &x[1]}
	if !_ti_nil(p[:], 0, 2, 1) {
		_ti_through(t, _ti_value, p[:], 0, 2, 1, 8, 8, 0, &site)
	}
	_ti_part(t, _ti_each, x[:], 0, 2, 1, 8, 8, 1, &site)
	_ti_step(t, _ti_each, x[:], 0, 2, 1, 1, &site)
	return p[1].x
}
`

// TestInlining asks the compiler four questions: does it inline the helpers on the fast
// path, do functions with one or two checks remain inlinable, does no variable escape through a
// check, and does it instrument no helper for checkptr?
func TestInlining(t *testing.T) {
	t.Run("filter", func(t *testing.T) { testInlining(t, false) })
	t.Run("shadow", func(t *testing.T) { testInlining(t, true) })
}

func testInlining(t *testing.T, shadow bool) {
	dir := t.TempDir()
	var src strings.Builder
	src.WriteString("package x\n\nimport \"unsafe\"\n")
	for n := range helpers(shadow) {
		src.WriteString(helperText(n, false, shadow))
	}
	src.WriteString(inlined)
	name := filepath.Join(dir, "x.go")
	if err := os.WriteFile(name, []byte(src.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"tool", "compile", "-p", "x", "-m", "-S", "-o", filepath.Join(dir, "x.a")}
	if !shadow {
		args = append(args, "-d=checkptr")
	}
	b, err := exec.Command("go", append(args, name)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	out := string(b)
	for _, want := range []string{
		"inlining call to _ti_r[", "inlining call to _ti_rxl[", "inlining call to _ti_wxl[", "inlining call to _ti_rg[", "inlining call to _ti_wg[", "inlining call to _ti_rgd[", "inlining call to _ti_wgd[", "inlining call to _ti_gend", "inlining call to _ti_value", "inlining call to _ti_r0[", "inlining call to _ti_w0[", "inlining call to _ti_w[", "inlining call to _ti_ap[", "inlining call to _ti_ws[",
		"inlining call to _ti_rl[", "inlining call to _ti_rc[", "inlining call to _ti_rs[",
		"inlining call to _ti_i[", "inlining call to _ti_step[", "inlining call to _ti_part[", "inlining call to _ti_each",
		"can inline (*node).get", "can inline (*node).set", "can inline (*node).sum",
		"inlining call to newNode", "inlining call to (*node).sum",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the compiler does not say %q", want)
		}
	}
	if strings.Contains(out, "checkptr") {
		t.Error("the compiler instruments pointers of a helper")
	}
	if strings.Contains(out, "moved to heap") {
		t.Error("a variable escapes through a check")
	}
	if t.Failed() {
		t.Logf("%s", out)
	}
}
