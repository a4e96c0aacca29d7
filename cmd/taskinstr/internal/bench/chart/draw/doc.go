// Package draw draws the charts of package chart with gonum/plot. It is linked into taskinstr-show
// alone: gonum/plot reads its fonts when a program starts.
package draw
