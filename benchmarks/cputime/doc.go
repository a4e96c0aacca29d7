// Package cputime tells how much processor time a benchmark has used.
package cputime
