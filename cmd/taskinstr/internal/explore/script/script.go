package script

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A Machine executes the statements of one task.
type Machine interface {
	Async(body func(Machine))
	Finish(body func())
	Isolated(body func())
	Load(i int) int
	Store(i, x int)
}

// Variables is how many integers the tasks of a program share.
const Variables = 3

// A Program is a list of statements.
type Program []statement

type statement struct {
	op   byte
	i, x int
	body Program
}

// Run executes a program.
func (p Program) Run(m Machine) {
	for k := range p {
		s := &p[k]
		switch s.op {
		case 'a':
			m.Async(s.body.Run)
		case 'f':
			m.Finish(func() { s.body.Run(m) })
		case 's':
			m.Isolated(func() { s.body.Run(m) })
		case 'l':
			m.Load(s.i)
		case 'w':
			m.Store(s.i, s.x)
		case '?':
			if m.Load(s.i) != s.x {
				s.body.Run(m)
			}
		}
	}
}

func (p Program) String() string {
	var parts []string
	for _, s := range p {
		text := string(s.op)
		switch s.op {
		case 'l':
			text += fmt.Sprint(s.i)
		case 'w', '?':
			text += fmt.Sprintf("%d=%d", s.i, s.x)
		}
		if s.op != 'l' && s.op != 'w' {
			text += "(" + s.body.String() + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " ")
}

// Parse reads the text of a program.
func Parse(text string) (Program, error) {
	p, rest, err := parse(text)
	if err == nil && rest != "" {
		err = fmt.Errorf("script: %q follows the end of the program", rest)
	}
	return p, err
}

// parse reads statements up to a closing parenthesis or the end.
func parse(text string) (p Program, rest string, err error) {
	for {
		text = strings.TrimLeft(text, " ")
		if text == "" || text[0] == ')' {
			return p, text, nil
		}
		s := statement{op: text[0]}
		n := 0
		switch s.op {
		case 'l':
			n, err = fmt.Sscanf(text, "l%1d", &s.i)
		case 'w', '?':
			n, err = fmt.Sscanf(text[1:], "%1d=%1d", &s.i, &s.x)
		case 'a', 'f', 's':
		default:
			err = fmt.Errorf("it is no statement")
		}
		if err != nil || s.i < 0 || s.i >= Variables {
			return nil, "", fmt.Errorf("script: %q: %v", text, err)
		}
		text = text[1:]
		if n > 0 {
			text = text[2*n-1:]
		}
		if s.op != 'l' && s.op != 'w' {
			if !strings.HasPrefix(text, "(") {
				return nil, "", fmt.Errorf("script: %q: a list is missing", text)
			}
			if s.body, text, err = parse(text[1:]); err != nil {
				return nil, "", err
			}
			if !strings.HasPrefix(text, ")") {
				return nil, "", fmt.Errorf("script: a list has no end")
			}
			text = text[1:]
		}
		p = append(p, s)
	}
}

// Random returns a program of about size statements, whose control flow depends on data.
func Random(r *rand.Rand, size int) Program {
	g := &generator{r, size}
	return g.list(2+size/3, 3, false)
}

type generator struct {
	r    *rand.Rand
	left int
}

func (g *generator) list(n, depth int, isolated bool) (p Program) {
	for ; n > 0 && g.left > 0; n-- {
		g.left--
		p = append(p, g.statement(depth, isolated))
	}
	return p
}

func (g *generator) statement(depth int, isolated bool) statement {
	s := statement{i: g.r.IntN(Variables), x: 1 + g.r.IntN(2)}
	switch k := g.r.IntN(10); {
	case k < 3 && depth > 0 && !isolated:
		return statement{op: 'a', body: g.list(1+g.r.IntN(3), depth-1, false)}
	case k == 3 && depth > 0 && !isolated:
		return statement{op: 'f', body: g.list(1+g.r.IntN(2), depth-1, false)}
	case k < 7 && !isolated:
		return statement{op: 's', body: g.list(1+g.r.IntN(2), depth, true)}
	case k == 7:
		s.op, s.body = '?', g.list(1, depth, isolated)
	case k == 8:
		s.op, s.x = 'l', 0
	default:
		s.op = 'w'
	}
	return s
}
