package builder

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"taskinstr/internal/site"
)

// At returns a position as calls have it in plans.
func (b *Builder) At(p token.Pos) site.Pos {
	pos := b.Analysis.Program().Fset.Position(p)
	return site.Pos{File: filepath.Base(pos.Filename), Line: pos.Line, Col: pos.Column}
}

// HasLineDirective reports whether a line directive gives pos another line: several calls
// might then have one position.
func (b *Builder) HasLineDirective(pos token.Pos) bool {
	fset := b.Analysis.Program().Fset
	return fset.PositionFor(pos, true) != fset.PositionFor(pos, false)
}

// Directed reports whether the comment of a function has instructions for the compiler, which a copy of
// the function would repeat.
func Directed(doc *ast.CommentGroup) bool {
	return doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool {
		return strings.HasPrefix(c.Text, "//go:") || strings.HasPrefix(c.Text, "//export ") || strings.HasPrefix(c.Text, "//line ")
	})
}
