package tracefile

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"taskinstr/detector/offline/detectortest"
)

func program(t *testing.T, seed uint64) string {
	name := filepath.Join(t.TempDir(), "trace")
	detectortest.RandomFile(t, name, seed)
	return name
}

// Except for races, each edge leads to a step further down. Edges of promises, of waiting
// and of races occur.
func TestDrawing(t *testing.T) {
	kinds := map[edgeKind]int{}
	for seed := range uint64(40) {
		o := options{file: program(t, seed), limit: defaultLimit}
		d, err := o.draw()
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range d.edges {
			kinds[e.kind]++
			if e.kind != race && d.steps[e.from].rank >= d.steps[e.to].rank {
				t.Errorf("seed %d: an edge leads from rank %d to %d", seed, d.steps[e.from].rank, d.steps[e.to].rank)
			}
			if e.kind == race && (len(d.steps[e.from].races) == 0 || d.steps[e.from].task == d.steps[e.to].task) {
				t.Errorf("seed %d: a race of steps %d and %d", seed, e.from, e.to)
			}
		}
	}
	for k := next; k <= race; k++ {
		if kinds[k] == 0 {
			t.Errorf("no edge of kind %d", k)
		}
	}
}

// The picture is XML, and its boxes lie within it and beside one another.
func TestSVG(t *testing.T) {
	o := options{file: program(t, 3), limit: defaultLimit, format: "svg"}
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	if err := graph(&o, w); err != nil {
		t.Fatal(err)
	}
	w.Flush()
	var boxes []Box
	width, height := 0, 0
	for d := xml.NewDecoder(&b); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		number := func(name string) int {
			for _, a := range e.Attr {
				if a.Name.Local == name {
					n, _ := strconv.Atoi(a.Value)
					return n
				}
			}
			return 0
		}
		switch e.Name.Local {
		case "svg":
			width, height = number("width"), number("height")
		case "rect":
			if number("rx") > 0 {
				boxes = append(boxes, Box{X: number("x"), Y: number("y"), W: number("width"), H: number("height")})
			}
		}
	}
	if len(boxes) < 5 {
		t.Fatalf("%d boxes", len(boxes))
	}
	for i, p := range boxes {
		if p.X < 0 || p.Y < 0 || p.X+p.W > width || p.Y+p.H > height {
			t.Errorf("%v lies outside of the picture, %d x %d", p, width, height)
		}
		for _, q := range boxes[:i] {
			if p.X < q.X+q.W && q.X < p.X+p.W && p.Y < q.Y+q.H && q.Y < p.Y+p.H {
				t.Errorf("%v and %v overlap", p, q)
			}
		}
	}
}

// A graph that is too large names the limit that it takes.
func TestLimit(t *testing.T) {
	o := options{file: program(t, 3), limit: 4}
	_, err := o.draw()
	if err == nil || !strings.Contains(err.Error(), "-limit=") {
		t.Fatalf("error %v", err)
	}
	_, number, _ := strings.Cut(err.Error(), "-limit=")
	if o.limit, err = strconv.Atoi(number); err != nil {
		t.Fatal(err)
	}
	if _, err := o.draw(); err != nil {
		t.Errorf("with the limit that was named: %v", err)
	}
}
