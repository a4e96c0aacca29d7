package chart

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"

	"taskinstr/cmd/internal/sibling"
)

// Program is the package, below cmd, of the command that draws. Command is the first of its
// arguments, and the format, svg or png, the second one.
const (
	Program = "taskinstr/taskinstr-show"
	Command = "chart"
)

// A Chart is a bar chart like TaskChecker's figure 14: a group for each benchmark, a bar for each
// mode, with the interval of its time where there are enough runs.
type Chart struct {
	Title  string   `json:"title"`
	Modes  []string `json:"modes"`
	Groups []Group  `json:"groups"`
}

// A Group holds the bars of one benchmark, by mode.
type Group struct {
	Name string `json:"name"`
	Bars []Bar  `json:"bars"`
}

// A Bar is the slowdown of one benchmark in one mode; the ratio is 0 if it was not measured. Low and
// High bound the interval of the ratio, and are 0 if there is none.
type Bar struct {
	Ratio float64 `json:"ratio"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Read reads a description of a chart.
func Read(r io.Reader) (*Chart, error) {
	c := new(Chart)
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(c); err != nil {
		return nil, fmt.Errorf("the description of the chart cannot be read: %w", err)
	}
	for _, g := range c.Groups {
		if len(g.Bars) != len(c.Modes) {
			return nil, fmt.Errorf("the group %s of the chart has %d bars for %d modes", g.Name, len(g.Bars), len(c.Modes))
		}
	}
	return c, nil
}

// Write has taskinstr-show draw the chart as an image in the format svg or png. note gets a line
// before a step that may take a while.
func (c *Chart) Write(w io.Writer, format string, note func(string)) error {
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	program, err := sibling.Cached(Program, note)
	if err != nil {
		return fmt.Errorf("the chart cannot be drawn: %w", err)
	}
	cmd := exec.Command(program, Command, format)
	cmd.Stdin = bytes.NewReader(text)
	image, err := cmd.Output() // whole, so that a failure leaves no half image
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Errorf("the chart cannot be drawn: %s: %w\n%s", program, err, bytes.TrimSpace(exit.Stderr))
	} else if err != nil {
		return fmt.Errorf("the chart cannot be drawn: %w", err)
	}
	_, err = w.Write(image)
	return err
}
