package main

// Class: map key
//
// A key that the runtime takes by address is read by its hook; with taskinstr the check of
// the place stands for it.

func (racy) MapKey() {
	k := &name{}
	m := map[name]int{}
	parallel(
		func() { k.n = 1 },   // want race: k.n
		func() { m[*k] = 1 }, // want race: *k
	)
}
