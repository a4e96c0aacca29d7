package view

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"taskinstr/cmd/internal/exitcode"
	"taskinstr/cmd/taskinstr/internal/view/serve"
)

var screenshots = flag.String("screenshots", "", "keep pictures of the page in this folder")

//go:embed testdata/contrast.js
var contrastScript string

// browser returns the path of a Chromium, or skips the test.
func browser(t *testing.T) string {
	t.Helper()
	names := []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("no browser: none of %s is on PATH (Debian: apt-get install chromium-headless-shell)", strings.Join(names, ", "))
	return ""
}

// A tab shows the page and notes what it asks for and what it complains about.
type tab struct {
	ctx context.Context

	mu       sync.Mutex
	requests []string
	errors   []string
}

func newTab(t *testing.T, address string) *tab {
	t.Helper()
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(browser(t)), chromedp.UserDataDir(t.TempDir()))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium has no sandbox for root
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	x := &tab{ctx: ctx}
	err := chromedp.Listen(ctx, func(event any) {
		x.mu.Lock()
		defer x.mu.Unlock()
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			x.requests = append(x.requests, e.Request.URL)
		case *runtime.EventExceptionThrown:
			x.errors = append(x.errors, e.ExceptionDetails.Text)
		case *log.EventEntryAdded:
			x.errors = append(x.errors, e.Entry.Text+" "+e.Entry.URL)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, log.Enable, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	x.run(t, chromedp.Navigate(address))
	return x
}

func (x *tab) run(t *testing.T, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(x.ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// value returns the value of an expression as text.
func (x *tab) value(t *testing.T, expression string) string {
	t.Helper()
	v, err := chromedp.Run(x.ctx, chromedp.Evaluate[any](expression))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(v)
}

// TestBrowser shows the page in a Chromium: wide, narrow, light and dark. It asks for nothing,
// runs no text of the inputs, fits, and can be read and operated.
func TestBrowser(t *testing.T) {
	p := load(t)
	s, err := serve.New(Policy(), p.Write)
	if err != nil {
		t.Fatal(err)
	}
	browser(t)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		<-done
	})
	x := newTab(t, s.Address())
	for _, w := range []int64{1280, 360} {
		for _, scheme := range []string{"light", "dark"} {
			name := fmt.Sprintf("%s-%d", scheme, w)
			if _, err := chromedp.Call(x.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}); err != nil {
				t.Fatal(err)
			}
			x.run(t,
				chromedp.EmulateViewport(w, 900),
				chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("details").forEach((d) => { d.open = true; })`),
			)
			contrast, err := chromedp.Run(x.ctx, chromedp.Evaluate[struct {
				Bad []string `json:"bad"`
				N   int      `json:"n"`
			}](contrastScript))
			if err != nil {
				t.Fatal(err)
			}
			if len(contrast.Bad) > 0 || contrast.N < 100 {
				t.Errorf("%s: %d texts; too little contrast, or too small:\n%s", name, contrast.N, strings.Join(contrast.Bad, "\n"))
			}
			if got := x.value(t, `document.documentElement.scrollWidth <= window.innerWidth`); got != "true" {
				t.Errorf("%s: the page is wider than the window: %s", name, x.value(t, `[...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > window.innerWidth + 1 && !e.closest(".scroll")).slice(0, 5).map((e) => e.tagName + "." + e.className + " in " + e.parentElement.tagName + "." + e.parentElement.className + " in " + e.parentElement.parentElement.className).join("; ")`))
			}
			if *screenshots != "" {
				picture, err := chromedp.Run(x.ctx, chromedp.FullScreenshot(100))
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(*screenshots, name+".png"), picture, 0o666); err != nil {
					t.Error(err)
				}
			}
		}
	}

	// No text has run, and the policy stops what a fault in an escape would let in.
	x.run(t, chromedp.Evaluate[chromedp.Void](`{
		const s = document.createElement("script");
		s.textContent = "window.ran = 2";
		document.body.append(s);
		const i = document.createElement("img");
		i.setAttribute("onerror", "window.ran = 3");
		i.src = "http://example.invalid/x.png";
		document.body.append(i);
	}`), chromedp.Sleep(50*time.Millisecond))
	if got := x.value(t, `String(window.ran)`); got != "undefined" {
		t.Errorf("a text of an input has run: %s", got)
	}
	x.mu.Lock()
	blocked := 0
	for _, e := range x.errors {
		if strings.Contains(e, "Content Security Policy") {
			blocked++
		}
	}
	if blocked != len(x.errors) || blocked < 3 {
		t.Errorf("complaints, of which %d should be those of the policy about the test's own script, picture and handler: %q", blocked, x.errors)
	}
	for _, r := range x.requests {
		if r != s.Address() && r != "http://example.invalid/x.png" {
			t.Errorf("the page asks for %s", r)
		}
	}
	x.mu.Unlock()
}

// TestKeyboard operates the page with keys alone.
func TestKeyboard(t *testing.T) {
	root, names := inputs(t)
	out := filepath.Join(t.TempDir(), "report.html")
	browser(t)
	if code := Main(append([]string{"-root", root, "-o", out}, names...), os.Stdout, os.Stderr); code != exitcode.OK {
		t.Fatalf("exit code %d", code)
	}
	x := newTab(t, "file://"+filepath.ToSlash(out))
	focused := func() string {
		return x.value(t, `document.activeElement.closest("details.report")?.dataset.kind ?? document.activeElement.id`)
	}
	visible := `document.querySelectorAll("details.report:not([hidden])").length`
	total := x.value(t, visible)
	if got := x.value(t, `document.querySelectorAll("details.report[open]").length`); got != "1" {
		t.Errorf("%s reports are open at the beginning", got)
	}
	x.run(t, chromedp.KeyEvent("j"))
	if got := focused(); got != "race" {
		t.Errorf("j leads to %s", got)
	}
	x.run(t, chromedp.KeyEvent(kb.Enter))
	if got := x.value(t, `document.querySelectorAll("details.report[open]").length`); got != "0" {
		t.Errorf("Enter leaves %s reports open", got)
	}
	x.run(t, chromedp.KeyEvent("jjjjjjjjj"))
	if got := focused(); got != "known" {
		t.Errorf("j ends at %s", got)
	}
	x.run(t, chromedp.KeyEvent("/"))
	if got := focused(); got != "search" {
		t.Errorf("/ leads to %s", got)
	}
	// The protocol types the slash as well, which preventDefault stops for a person's key.
	x.run(t, chromedp.Evaluate[chromedp.Void](`document.getElementById("search").value = ""`), chromedp.KeyEvent("deposit 00a1"))
	if got := x.value(t, visible); got != "1" {
		t.Errorf("the search for %q shows %s of %s reports", x.value(t, `document.getElementById("search").value`), got, total)
	}
	if got := x.value(t, `document.getElementById("count").textContent`); got != "1 of "+total+" reports" {
		t.Errorf("count: %s", got)
	}
	x.run(t, chromedp.KeyEvent(kb.Escape))
	if got := x.value(t, visible); got != total || focused() == "search" {
		t.Errorf("Escape shows %s of %s reports, focus on %s", got, total, focused())
	}
	x.run(t, chromedp.KeyEvent("1"))
	if got := x.value(t, `document.querySelectorAll("details.report.race:not([hidden])").length`); got != "0" {
		t.Errorf("1 leaves %s races", got)
	}
	x.run(t, chromedp.KeyEvent("e"))
	if got := x.value(t, `document.querySelectorAll("details.report:not([open]):not([hidden])").length`); got != "0" {
		t.Errorf("e leaves %s reports closed", got)
	}
	x.run(t, chromedp.KeyEvent("?"))
	if got := x.value(t, `document.getElementById("keys").open`); got != "true" {
		t.Error("? does not show the keys")
	}
	x.run(t, chromedp.KeyEvent(kb.Escape))
	if got := x.value(t, `document.getElementById("keys").open`); got != "false" {
		t.Error("Escape leaves the keys")
	}
	if len(x.errors) > 0 {
		t.Errorf("complaints: %q", x.errors)
	}
}
