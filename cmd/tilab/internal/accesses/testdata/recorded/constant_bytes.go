package main

func (racy) ConstantBytes() {
	publish(
		func() *[]byte {
			b := []byte("abc") // want(racy/ConstantBytes) race: []byte("abc")
			return hold(b)
		},
		func(b *[]byte) { sink(first(b)) },
	)
}

// hold and first touch only the bytes where anybody records.
//
//go:norace
//go:noinline
func hold(b []byte) *[]byte { return &b }

//go:norace
//go:noinline
func unwrap(b *[]byte) []byte { return *b }

func first(b *[]byte) byte { return unwrap(b)[0] } // want(racy/ConstantBytes) race: unwrap(b)[0]
