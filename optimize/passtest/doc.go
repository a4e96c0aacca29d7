// Package passtest tests passes: it runs a pass alone on a small program and compares
// the plan with the program's comments (Comments) or with a golden file (Archives).
package passtest
