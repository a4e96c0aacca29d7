// Package mandelbrot draws the Mandelbrot set as a portable bitmap with one bit for each
// pixel: Mandelbrot of the Computer Language Benchmarks Game. Sixteen tasks draw bands of
// rows.
package mandelbrot

import "taskinstr/benchmarks/program"

var Program = program.Spec[int]{
	Suite: "taskchecker", Name: "mandelbrot",
	Doc:  "the Mandelbrot set, sixteen tasks",
	Seed: "each band has the first row of the next one, too",
	Run:  run,
	// The inputs are the numbers of pixels in a row and in a column.
	Small: 64, Medium: 1600, Large: 8000,
}.Program()
