package terminal

// A Color is an escape sequence of a terminal that changes how text looks.
type Color string

// The colours, which are readable on dark and light ground.
const (
	Bold   Color = "\x1b[1m"
	Faint  Color = "\x1b[2m"
	Red    Color = "\x1b[31m"
	Green  Color = "\x1b[32m"
	Yellow Color = "\x1b[33m"
	Cyan   Color = "\x1b[36m"
	reset        = "\x1b[0m"
)

// A Style paints text, or leaves it as it is.
type Style bool

// Paint returns the text in a colour.
func (s Style) Paint(c Color, text string) string {
	if !s || text == "" {
		return text
	}
	return string(c) + text + reset
}
