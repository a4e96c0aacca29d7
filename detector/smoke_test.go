package detector

import "testing"

func TestSmoke(t *testing.T) {
	e := new(Engine)
	m := e.Init(Options{})
	defer e.Close()
	var got []*Report
	OnReport(e, func(r *Report) { got = append(got, r) })
	a := e.Fork(m, 0, 0x10)
	b := e.Fork(m, 0, 0x20)
	e.Access(a, 0xc000001000, 8, Write, 1, 0x100, 0)
	e.Access(b, 0xc000001008, 8, Write, 2, 0x200, 0)
	if len(got) != 0 {
		t.Fatal(len(got))
	}
	e.Access(b, 0xc000001004, 4, Read, 2, 0x200, 0)
	if len(got) != 1 || got[0].Predicted {
		t.Fatal(len(got))
	}
	e.ReleaseMerge(a, 0xc000002000)
	e.End(a)
	e.Lock(b, 0xc000003000, false)
	e.Access(b, 0xc000004000, 8, Write, 3, 0x300, 0)
	e.Unlock(b, 0xc000003000, false)
	e.ReleaseMerge(b, 0xc000002000)
	e.End(b)
	e.Acquire(m, 0xc000002000)
	e.Access(m, 0xc000001000, 20, Write, 4, 0x300, 0)
	if len(got) != 1 {
		t.Fatal(len(got))
	}
}
