package optimize_test

import (
	"fmt"
	"strings"
)

// idiom writes a loop or block in one of the forms that code for bytes, pixels and vectors has:
// headers with several variables, slices that move along, windows, lookups in tables.
func (w *nestWriter) idiom(depth int) {
	const deepest = 3
	in := strings.Repeat("\t", depth)
	w.next++
	i, q, t := fmt.Sprintf("i%d", w.next), fmt.Sprintf("q%d", w.next), fmt.Sprintf("t%d", w.next)
	bound := w.one("n", "k", "s", "3", "5", "len(a)", "g.n", "2*n", "n+k")
	start := w.one("0", "0", "1", "k", "s", w.index())
	step := w.one("1", "1", "2", "3", "4")
	by := w.one("1", "2", "3", "4", "-1", "k", "n", "-k", "-n")
	// body writes the statements of a loop with iterators in scope. In loops that count in
	// their body, a continue would skip that.
	body := func(counts bool, iters ...string) {
		w.iters = append(w.iters, iters...)
		if counts {
			w.counting++
		}
		for _, i := range iters {
			fmt.Fprintf(w, "%s\t_ = %s\n", in, i)
		}
		for range 1 + w.r.IntN(2) {
			if w.r.IntN(2) == 0 && depth < deepest {
				w.statement(depth + 1)
			} else {
				w.neighbours(in+"\t", w.one(iters...))
			}
		}
		if counts {
			w.counting--
		}
		w.iters = w.iters[:len(w.iters)-len(iters)]
	}
	switch w.r.IntN(11) {
	case 10:
		// A narrow iterator.
		fmt.Fprintf(w, "%sfor %s, %s := int32(%s), %s; %s < int32(%s); %s, %s = %s+1, %s+%s {\n", in, t, q, start, w.one("0", "k"), t, bound, t, q, t, q, by)
		fmt.Fprintf(w, "%s\t%s := int(%s)\n", in, i, t)
		body(false, i, q)
	case 0:
		fmt.Fprintf(w, "%sfor %s, %s := %s, %s; %s < %s; %s, %s = %s+%s, %s+%s {\n", in, i, q, start, w.one("0", "k", "n"), i, bound, i, q, i, step, q, by)
		body(false, i, q)
	case 1:
		fmt.Fprintf(w, "%s%s := %s\n%sfor %s < %s {\n", in, i, start, in, i, bound)
		body(true, i)
		fmt.Fprintf(w, "%s\t%s += %s\n", in, i, step)
	case 2:
		fmt.Fprintf(w, "%s%s, %s := %s, %s\n%sfor ; %s > 0; %s-- {\n", in, i, q, bound, start, in, i, i)
		body(true, i, q)
		fmt.Fprintf(w, "%s\t%s = %s + %s\n", in, q, q, by)
		if w.r.IntN(2) == 0 {
			body(false, i, q)
		}
	case 3:
		fmt.Fprintf(w, "%sfor %s := %s; %s != %s; %s += %s {\n", in, i, w.one("0", "3", "-6"), i, w.one("6", "9", "3*s+3"), i, w.one("3", "1"))
		body(false, i)
	case 4, 5:
		// A slice that moves along, or two.
		over := w.one("a", "b", "g.cell", "m["+w.index()+"]", "a["+w.one("1", "k")+":]")
		size := w.r.IntN(4) + 1
		if w.r.IntN(2) == 0 {
			u := fmt.Sprintf("u%d", w.next)
			fmt.Fprintf(w, "%s%s, %s := %s, b\n%sfor len(%s) >= %d && len(%s) > %d {\n", in, t, u, over, in, t, size, u, size-1)
			fmt.Fprintf(w, "%s\t%s[%d] = %s[%s]\n", in, u, w.r.IntN(size), t, w.one("0", fmt.Sprint(size-1), "1"))
			body(true, "s")
			fmt.Fprintf(w, "%s\t%s, %s = %s[%d:], %s[%s:]\n", in, t, u, t, size, u, w.one("1", fmt.Sprint(size)))
			break
		}
		fmt.Fprintf(w, "%s%s := %s\n%sfor len(%s) %s {\n", in, t, over, in, t, w.one(fmt.Sprint(">= ", size), "> 0", fmt.Sprint("> ", size)))
		fmt.Fprintf(w, "%s\tsum += %s[0]\n%s\t%s[%d]++\n", in, t, in, t, w.r.IntN(size))
		body(true, "k")
		fmt.Fprintf(w, "%s\t%s = %s[%d:]\n", in, t, t, size)
		if w.r.IntN(3) == 0 {
			fmt.Fprintf(w, "%s\tif len(%s) > 0 { %s[0] = 1 }\n", in, t, t)
		}
	case 6:
		fmt.Fprintf(w, "%sfor %s, %s := range %s[%s:%s] {\n%s\tsum += %s\n", in, i, t, w.one("a", "b", "g.cell", "m[k]"), w.one("0", "1", "k"), w.one("n", "3+k", "len(a)"), in, t)
		body(false, i)
	case 7:
		// A variable that only inner loops and branches change.
		fmt.Fprintf(w, "%s%s := %s\n%sfor %s := 0; %s < %s; %s++ {\n", in, q, start, in, i, i, bound, i)
		body(false, i, q)
		if w.r.IntN(2) == 0 {
			fmt.Fprintf(w, "%s\tif %s { %s++ }\n", in, w.condition(), q)
		} else {
			fmt.Fprintf(w, "%s\tfor j := 0; j < %s; j++ { a[%s] = 1; %s += %s }\n", in, w.one("2", "n"), q, q, w.one("1", "2"))
		}
		if w.r.IntN(2) == 0 {
			body(false, i, q)
		}
	default:
		fmt.Fprintf(w, "%s{\n", in)
		w.neighbours(in+"\t", w.one(append([]string{"k", "n"}, w.iters...)...))
		w.neighbours(in+"\t", w.one(append([]string{"k", "s"}, w.iters...)...))
	}
	fmt.Fprintf(w, "%s}\n", in)
}

// neighbours writes accesses of several elements at i, through a window or not.
func (w *nestWriter) neighbours(in, i string) {
	w.next++
	t := fmt.Sprintf("w%d", w.next)
	base := w.one("a", "a", "b", "g.cell", "m["+w.one(append([]string{"0", "k"}, w.iters...)...)+"]")
	size := w.r.IntN(4) + 1
	at := w.one(i, i, i+"*2", i+"*4", i+"+k", "4*"+i+"+1", i+"*n")
	elem := func() string { return fmt.Sprintf("%s[%d]", t, w.r.IntN(size)) }
	switch w.r.IntN(9) {
	case 0, 1:
		fmt.Fprintf(w, "%s%s := %s[%s : %s+%d : %s+%d]\n", in, t, base, at, at, size, at, size)
	case 2:
		fmt.Fprintf(w, "%s%s := %s[%s:][:%d]\n", in, t, base, at, size)
	case 3:
		fmt.Fprintf(w, "%s%s := %s[%s:]\n", in, t, base, at)
	case 4:
		fmt.Fprintf(w, "%s%s := (*[%d]int32)(%s[%s:])\n", in, t, size, base, at)
	case 5:
		// Lookups, which depend on data.
		fmt.Fprintf(w, "%s%s[%s] %s %s[%s]\n", in, base, i, w.one("=", "+="), w.one("b", "a", "g.cell"),
			w.one("a["+i+"]&3", "uint8(b["+i+"])>>5", "uint32(a["+i+"])%4", "a["+i+"]&1+2", "(a["+i+"]&3)^1", "a["+i+"]/2"))
		return
	case 6:
		fmt.Fprintf(w, "%s%s[%s] = %s[%s]\n", in, base, w.one(i+"/2", i+">>1", i+"<<1", i+"&3", i+"%3"), w.one("a", "b"), w.one(i, i+"/3", i+"&1"))
		return
	case 7:
		fmt.Fprintf(w, "%s%s := %s[%s:%s]\n%sfor x, y := range %s {\n%s\tsum += y\n%s\t%s[x]++\n%s}\n", in, t, base, at, w.one("n", at+"+2", "len("+base+")"), in, t, in, in, t, in)
		return
	default:
		fmt.Fprintf(w, "%s%s[%s], %s[%s+1] = %s[%s+1], %s[%s]\n", in, base, at, base, at, base, at, base, at)
		return
	}
	fmt.Fprintf(w, "%s%s = %s + 1\n", in, elem(), elem())
	for range w.r.IntN(3) {
		fmt.Fprintf(w, "%s%s %s %s\n", in, elem(), w.one("=", "+="), w.one("1", elem()))
	}
	if w.r.IntN(4) == 0 {
		fmt.Fprintf(w, "%ssum += int32(len(%s))\n", in, t)
	}
}
