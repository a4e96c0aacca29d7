package splice

import (
	"go/ast"
	"go/types"

	"taskinstr/internal/site"
)

// The names under which the files branch*.go ask package site.

const reachable = site.Reachable

func isPointer(t types.Type) bool                     { return site.IsPointer(t) }
func isArray(t types.Type) bool                       { return site.IsArray(t) }
func elem(t types.Type) types.Type                    { return site.Elem(t) }
func core(t types.Type) types.Type                    { return site.Core(t) }
func throughPointer(t types.Type, path []int) bool    { return site.ThroughPointer(t, path) }
func parameters(lists ...*ast.FieldList) []*ast.Ident { return site.Parameters(lists...) }
func (p *pkg) typeOf(e ast.Expr) types.Type           { return p.TypeOf(e) }
func (p *pkg) size(t types.Type) int64                { return p.Size(t) }
func (p *pkg) shared(v *types.Var) bool               { return p.Shared(v) }
func (p *pkg) root(e ast.Expr) *ast.Ident             { return p.Root(e) }
func (f *file) storageOf(e ast.Expr) site.Storage     { return f.Storage(e) }
func (f *file) calls(e ast.Expr) bool                 { return f.Calls(e) }
func (f *file) what(e ast.Expr) string                { return f.What(e) }
