package kernels

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"sort"
	"strings"
	"sync/atomic"
)

// The work of these kernels happens in the standard library, which calls many small
// functions from many places and accesses the same bytes in pieces of all sizes.

// each returns a kernel that runs item for 1 to n, divided among the tasks, and adds up
// the results.
func each(item func(i int) uint64) func(n, workers int) uint64 {
	return func(n, workers int) uint64 {
		var sum atomic.Uint64
		split(n, workers, func(lo, hi int) {
			part := uint64(0)
			for i := lo; i < hi; i++ {
				part += item(i + 1)
			}
			sum.Add(part)
		})
		return sum.Load()
	}
}

// digest returns the 32-bit FNV-1a hash.
func digest(s string) uint64 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return uint64(h)
}

type record struct {
	Name  string
	ID    int
	Tags  []string
	Price float64
	Parts map[string]int
}

func jsonItem(i int) uint64 {
	list := make([]record, 20)
	for k := range list {
		list[k] = record{fmt.Sprint("n", i+k), k, []string{"a", "b"}, float64(i) / 8, map[string]int{"x": k}}
	}
	text, err := json.Marshal(list)
	if err != nil {
		return 0
	}
	var back []record
	if json.Unmarshal(text, &back) != nil || len(back) != len(list) || back[7].Name != list[7].Name {
		return 0
	}
	return digest(string(text))
}

func fmtItem(i int) uint64 {
	return digest(fmt.Sprintf("%d %s %5.2f %v", i, "abc", float64(i)/8, []int{i, i + 1}))
}

var prose = strings.Repeat("the quick brown fox jumps over 12 lazy dogs, and 1234 times at foo@bar.com again\n", 50)

func stringsItem(i int) uint64 {
	s := strings.Join(strings.Fields(prose), "-")
	s = strings.ReplaceAll(s, "fox", fmt.Sprint("cat", i))
	return digest(strings.ToUpper(s))
}

type header struct {
	Kind, Length uint32
	Offset       float64
	Flags        [4]uint16
}

func binaryItem(i int) uint64 {
	var b bytes.Buffer
	h := header{uint32(i), 2, 3, [4]uint16{1, 2, 3, uint16(i)}}
	if binary.Write(&b, binary.LittleEndian, h) != nil {
		return 0
	}
	sum := digest(b.String())
	var back header
	if binary.Read(&b, binary.LittleEndian, &back) != nil || back != h {
		return 0
	}
	return sum
}

func regexpItem(i int) uint64 {
	re := regexp.MustCompile(`[a-z]+@[a-z]+\.com|\d{4}`)
	sum := uint64(i)
	for _, at := range re.FindAllStringIndex(prose, -1) {
		sum += uint64(at[0] * at[1])
	}
	return sum
}

func flateItem(i int) uint64 {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, 6)
	if err != nil {
		return 0
	}
	text := fmt.Sprint(i, prose, prose)
	if _, err := io.WriteString(w, text); err != nil || w.Close() != nil {
		return 0
	}
	back, err := io.ReadAll(flate.NewReader(&b))
	if err != nil || string(back) != text {
		return 0
	}
	return digest(text)
}

func sortItem(i int) uint64 {
	r := rng(i)
	list := make([]int, 3000)
	for k := range list {
		list[k] = r.below(1_000_000)
	}
	sort.Slice(list, func(a, b int) bool { return list[a] < list[b] })
	return uint64(list[0]*7 + list[len(list)/2])
}
