// Package view shows reports, traces, recorded schedules, explorations and measurements as one
// page: `taskinstr view`.
//
// The inputs are told apart by their contents (input.go). Each part of the page has a model
// that holds all of its texts and numbers (report.go, graph.go, trace.go, lanes.go, bench.go),
// and a template (assets/page.html). The page is one document: style and script are inside of
// it, and it asks for nothing. It goes into a file, or comes from a server on the loopback
// interface (package serve), which the command taskinstr-show runs (docs/design/dependencies.md says why).
//
// Names, source lines and tests come from programs that the reader may not trust. So all of
// them pass through html/template, and a policy in the page (Content-Security-Policy) lets
// only this package's script and style take effect.
package view
