package view

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestContrast computes the contrast of the colours that stand on one another, as WCAG 2.1
// asks for on level AA: 4.5 for text (1.4.3), 3 for bars and lines (1.4.11). TestBrowser
// measures the page itself where there is a browser.
func TestContrast(t *testing.T) {
	light, dark, ok := strings.Cut(style, "@media (prefers-color-scheme: dark)")
	if !ok {
		t.Fatal("the style has no dark colours")
	}
	dark, _, _ = strings.Cut(dark, "\n}\n")
	variable := regexp.MustCompile(`--([\w-]+): #([0-9a-f]{6});`)
	for scheme, text := range map[string]string{"light": light, "dark": dark} {
		colors := map[string]float64{}
		for _, m := range variable.FindAllStringSubmatch(text, -1) {
			colors[m[1]] = luminance(t, m[2])
		}
		for _, test := range []struct {
			least  float64
			over   string
			ground string
		}{
			{4.5, "text faint accent race predicted known", "ground card"},
			{4.5, "text", "hit note"},
			{4.5, "faint", "hit"},
			{4.5, "mark-text", "mark"},
			{4.5, "on-badge", "race predicted known"},
			{4.5, "proof", "card"},
			{3, "bar spawn join promise race predicted faint", "card ground"},
		} {
			for _, over := range strings.Fields(test.over) {
				for _, ground := range strings.Fields(test.ground) {
					a, okA := colors[over]
					b, okB := colors[ground]
					if !okA || !okB {
						t.Fatalf("%s: no colour %s or %s", scheme, over, ground)
					}
					if r := (max(a, b) + 0.05) / (min(a, b) + 0.05); r < test.least {
						t.Errorf("%s: %s on %s has a contrast of %.2f, less than %.1f", scheme, over, ground, r, test.least)
					}
				}
			}
		}
	}
}

// luminance returns the relative luminance of a colour as WCAG defines it.
func luminance(t *testing.T, hex string) (l float64) {
	t.Helper()
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v := float64(n>>(16-8*i)&0xff) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		l += weight * v
	}
	return l
}
