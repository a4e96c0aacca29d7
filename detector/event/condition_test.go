package event

import "testing"

func TestParseCondition(t *testing.T) {
	reads := map[uint32]uint64{101: 0xff, 102: 3, 103: 1, 104: 1 << 31}
	for _, c := range []struct {
		text string
		want uint64
	}{
		{"@3:b1", 1},
		{"(! @3:b1)", 0},
		{"(< @1:i1 #0)", 1},
		{"(< @1:u1 #0)", 0},
		{"(> @1:u8 #-1)", 0},
		{"(&& (== @2:i8 #3) (|| @3:b1 (!= @2:i8 #3)))", 1},
		{"(== (+ @1:u1 #1) #0)", 1}, // wraps in a byte
		{"(< (- @4:i4 #1) #0)", 0},  // wraps in four bytes
		{"(== (- @2:i8) #-3)", 1},
		{"(== (&^ @2:u1 #1) #2)", 1},
		{"(== (^ @2:u1) #252)", 1},
		{"(== (* @2:i8 @2:i8) #9)", 1},
		{"#18446744073709551615", 1<<64 - 1},
	} {
		x, err := ParseCondition(c.text, func(id uint32) uint32 { return id + 100 })
		if err != nil {
			t.Error(err)
			continue
		}
		if err := x.Check(); err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		got, ok := x.Eval(func(s uint32) (uint64, bool) { v, ok := reads[s]; return v, ok })
		if !ok || got != c.want {
			t.Errorf("%s: %#x, want %#x (%v)", c.text, got, c.want, x)
		}
	}
	if x, err := ParseCondition("(== ? #1)", nil); x != nil || err != nil {
		t.Errorf("an unknown condition is %v, %v", x, err)
	}
	for _, text := range []string{"", "(", "(< #1", "#x", "@1", "@1:f8", "(% #1 #2)", "(! #1 #2)", "#1 #2", "x", "(== #1 #2 #3)"} {
		if x, err := ParseCondition(text, func(id uint32) uint32 { return id }); err == nil {
			t.Errorf("%q is %v", text, x)
		}
	}
}
