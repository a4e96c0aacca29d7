package main

type stack[T any] struct{ items []T }

func (s *stack[T]) push(v T) { s.items = append(s.items, v) }

func (s *stack[T]) top() T { return s.items[len(s.items)-1] }

func mapTo[T, U any](list []T, f func(T) U) (out []U) {
	for _, v := range list {
		out = append(out, f(v))
	}
	return out
}

type getter[T any] interface{ get() T }

type cell[T any] struct{ v T }

func (c *cell[T]) get() T { return c.v }

func fetch[T any, G getter[T]](g G) T { return g.get() }

type red struct{ n int }
type blue struct{ n int }

func generics() {
	r := new(red)  // alloc r
	b := new(blue) // alloc b
	var rs stack[*red]
	var bs stack[*blue]
	rs.push(r)
	bs.push(b)
	points(rs.top()) // r
	points(bs.top()) // b
	out := mapTo([]*red{r}, func(*red) *blue { return b })
	points(out[0])                        // b
	points(fetch[*red](&cell[*red]{r}))   // r
	points(fetch[*blue](&cell[*blue]{b})) // b
}
