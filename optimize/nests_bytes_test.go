package optimize_test

import (
	"fmt"
	"strings"
)

// numbers writes a loop that reads and writes numbers in slice d of bytes by calls of
// encoding/binary, also through functions of the package.
func (w *nestWriter) numbers(depth int) {
	in := strings.Repeat("\t", depth)
	w.next++
	i, t := fmt.Sprintf("i%d", w.next), fmt.Sprintf("t%d", w.next)
	inner := func(from, i string) {
		w.iters = append(w.iters, i)
		for range 1 + w.r.IntN(4) {
			w.number(in+"\t", from, i)
		}
		if depth < 3 && w.r.IntN(3) == 0 {
			w.numbers(depth + 1)
		}
		if w.r.IntN(3) == 0 {
			fmt.Fprintf(w, "%s\tif %s {\n", in, w.condition())
			w.number(in+"\t\t", from, i)
			fmt.Fprintf(w, "%s\t}\n", in)
		}
		w.iters = w.iters[:len(w.iters)-1]
	}
	switch w.r.IntN(4) {
	case 0, 1:
		size := w.r.IntN(17) + 1
		fmt.Fprintf(w, "%s%s := d%s\n%sfor len(%s) %s {\n", in, t, w.one("", "", "[1:]", "[k+3:]"), in, t, w.one(fmt.Sprint(">= ", size), fmt.Sprint(">= ", size), fmt.Sprint("> ", size+3)))
		w.counting++
		inner(t, "1")
		w.counting--
		fmt.Fprintf(w, "%s\t%s = %s%s\n", in, t, t, w.one(fmt.Sprintf("[%d:]", size), fmt.Sprintf("[%d:len(%s)]", size, t), fmt.Sprintf("[%d:len(%s):len(%s)]", size, t, t)))
	case 2:
		fmt.Fprintf(w, "%sfor %s := range %s {\n%s\t_ = %s\n", in, i, w.one("n", "5", "len(d)/8", "k+2"), in, i)
		inner("d", i)
	default:
		fmt.Fprintf(w, "%sfor %s := %s; %s %s %s; %s += %s {\n", in, i, w.one("0", "k", "s"), i, w.one("<", "<", "<="), w.one("n", "len(d)-8", "8*n", "12"), i, w.one("1", "2", "4", "8", "3"))
		inner("d", i)
	}
	fmt.Fprintf(w, "%s}\n", in)
}

// number writes an access of a number near subscript i of slice from.
func (w *nestWriter) number(in, from, i string) {
	at := w.one("0", "1", "4", "8", "k+2")
	if i != "1" {
		at = w.one(i, i, i+"*8", i+"*4", i+"*4+1", "8*"+i+"+8", "2*"+i+"+"+w.one(w.iters...), "int(d["+i+"])&15")
	}
	if w.r.IntN(12) == 0 {
		at = "k"
	}
	width := w.one("16", "32", "64")
	var bytes int
	fmt.Sscan(width, &bytes)
	bytes /= 8
	arg := w.one(from+"["+at+":]", from+"["+at+":]", fmt.Sprintf("%s[%s:%s+%d]", from, at, at, bytes), fmt.Sprintf("%s[%s:%s+%d:len(%s)]", from, at, at, bytes+w.r.IntN(2), from), fmt.Sprintf("%s[%s:][:%d]", from, at, bytes-w.r.IntN(8)/7))
	value := w.one("sum", "n", "s")
	switch w.r.IntN(8) {
	case 0:
		w.WriteString(in + w.one("binary.LittleEndian.PutUint16("+arg+", uint16("+value+"))", "binary.LittleEndian.PutUint32("+arg+", uint32("+value+"))", "binary.BigEndian.PutUint64("+arg+", uint64("+value+"))") + "\n")
	case 1:
		w.WriteString(in + w.one("store16("+arg+", "+at+")", "pack(d, "+at+", sum)", "d["+at+"]++") + "\n")
	case 2, 3:
		w.WriteString(in + "sum += " + w.one("load32("+from+", "+at+")", "int32(u64("+arg+"))", "twoOf("+from+", "+at+")", "int32("+from+"["+at+"])") + "\n")
	default:
		fmt.Fprintf(w, "%ssum += int32(binary.%sEndian.Uint%s(%s))\n", in, w.one("Little", "Big"), width, arg)
	}
}

// byteAccessors are functions of the package that call those of encoding/binary.
const byteAccessors = `
func load32(d []byte, i int) int32 { return int32(binary.LittleEndian.Uint32(d[i:])) }

func u64(d []byte) uint64 { return binary.BigEndian.Uint64(d) }

func twoOf(d []byte, i int) int32 { return load32(d, i) + load32(d, i+4) }

func store16(d []byte, v int) { binary.LittleEndian.PutUint16(d, uint16(v)) }

func pack(d []byte, i int, v int32) {
	at := d[i : i+6]
	binary.LittleEndian.PutUint32(at, uint32(v))
	at[4] = byte(v)
}
`
