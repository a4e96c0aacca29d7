package main

type key struct{ p *int }

func maps() {
	k := new(int)        // alloc k
	v := new(int)        // alloc v
	w := new(int)        // alloc w
	m := map[*int]*int{} // alloc m
	m[k] = v
	points(m)    // m
	points(m[w]) // v
	for a, b := range m {
		points(a) // k
		points(b) // v
	}
	if b, ok := m[k]; ok {
		points(b) // v
	}
	s := map[key]pair{{k}: {v, w}} // alloc s
	points(s[key{w}].b)            // w
	for a := range s {
		points(a.p) // k
	}
	deep := map[string]map[string]*int{"a": {"b": w}} // alloc deep
	points(deep["x"]["y"])                            // w
	delete(m, k)
	clear(m)
	n := map[*int]*int{} // alloc n
	for a, b := range m {
		n[b] = a
	}
	points(n[v]) // k
	var none map[*int]*int
	points(none[k]) // nothing
}
