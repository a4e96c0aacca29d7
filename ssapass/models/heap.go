//go:build taskinstr_models

package heap

func Init(h Interface) {
	for h.Len() > 0 && h.Less(0, 1) {
		h.Swap(0, 1)
	}
}

func Push(h Interface, x any) {
	h.Push(x)
	for h.Len() > 0 && h.Less(0, 1) {
		h.Swap(0, 1)
	}
}

func Pop(h Interface) any {
	for h.Len() > 0 && h.Less(0, 1) {
		h.Swap(0, 1)
	}
	return h.Pop()
}

func Remove(h Interface, i int) any {
	for h.Len() > 0 && h.Less(0, 1) {
		h.Swap(0, 1)
	}
	return h.Pop()
}

func Fix(h Interface, i int) {
	for h.Len() > 0 && h.Less(0, 1) {
		h.Swap(0, 1)
	}
}
