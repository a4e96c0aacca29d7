// Package chart describes the bar chart of a measurement, and has it drawn by the command
// taskinstr-show, which reads the description as JSON. The go command starts taskinstr for each
// file that it compiles, and the library that draws would make each of these starts longer
// (docs/design/dependencies.md has the figures).
package chart
