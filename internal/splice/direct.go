package splice

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"taskinstr/internal/site"
)

// A helper in an expression has to return the place, so the compiler inlines it. A check that stands
// as a statement calls the runtime itself, which takes the compiler less time. A check in an expression
// moves in front of its statement if that changes nothing: no call or other unit comes between, the
// statement executes the access in any case, and evaluating the place loads nothing but local
// variables. The checks keep their order.

// A direct check is a check that can be a statement. Its function decides about the form: a function with
// few checks that may be inlined needs a cheaper one (function.direct).
type direct struct {
	open    part   // the start of the helper's call
	address string // the place's, as an expression
	size    int64
	site    string
	at, end int // the source bytes of the place
}

// directed returns the check as a direct one, nil if only a helper can make it: one that tests first
// whether the check is needed.
func (f *file) directed(open part, address, site string) *direct {
	if open.text != "_ti_r0" && open.text != "_ti_w0" || open.typ == nil {
		return nil
	}
	size := f.Size(open.typ)
	if size <= 0 {
		return nil
	}
	return &direct{open: open, address: address, size: size, site: site}
}

// statement returns the check of the place at address as a statement, without a semicolon.
func (f *file) statement(open part, address, site string) []part {
	if d := f.directed(open, address, site); d != nil {
		return []part{{kind: partCheck, check: d}}
	}
	return []part{open, text(address + "," + site + ")")}
}

// ahead moves the check of place e, which edit c makes in place, in front of the statement, if it can.
func (f *file) ahead(c *edit, open part, e ast.Expr, site string) {
	q := f.seq
	// Checks keep their order, so one in place keeps those that follow it in place.
	if q.line == 0 || f.pkg.cfg.Branches || q.calls > len(q.hoists) || len(q.live) > 0 || len(f.pkg.sites) != q.sites+len(q.ahead)+1 || open.flag != "" {
		return
	}
	if f.line(e.Pos()) != q.line || f.multiline(c.start, c.end) || !f.Stable(e, nil) {
		return
	}
	d := f.directed(open, "&"+f.TextOf(e), site)
	if d == nil {
		return
	}
	d.at, d.end = c.start, c.end
	c.check = d
	q.ahead = append(q.ahead, d)
}

// line returns the line of the source text that p is in.
func (f *file) line(p token.Pos) int { return f.Token.PositionFor(p, false).Line }

// isDirect reports whether the check is a call of the runtime.
func (p *pkg) isDirect(d *direct) bool {
	fn := d.open.fn
	if fn.direct() {
		return fn.called && !p.cfg.Count
	}
	return !p.cfg.Count && !(p.cfg.Shadow && fn.checks <= inlineChecks)
}

// renderCheck writes the check as a statement.
func (f *file) renderCheck(w *bytes.Buffer, d *direct) {
	if !f.pkg.isDirect(d) {
		f.renderParts(w, []part{d.open, text(d.address + "," + d.site + ")")}, 0)
		return
	}
	kind, check, task := site.Read, "_ti_check", "_ti_t,"
	if strings.HasPrefix(d.open.text, "_ti_w") {
		kind = site.Write
	}
	if d.open.fn.direct() {
		check, task = "_ti_check1", ""
	}
	f.pkg.helpers[check] = true
	fmt.Fprintf(w, "%s(%s_ti_pointer(%s),%d,%d,%s)", check, task, d.address, d.size, kind, d.site)
}

// aheadOf returns the checks in front of the moved unit u, and of the statement if u is nil.
func (q *sequence) aheadOf(u *unit) (ps []part) {
	rest := q.ahead[:0:0]
	for _, d := range q.ahead {
		if u == nil || u.edit.start <= d.at && d.end <= u.edit.end {
			ps = append(ps, part{kind: partAhead, check: d})
		} else {
			rest = append(rest, d)
		}
	}
	q.ahead = rest
	return ps
}
