package splice

import (
	"go/ast"
	"go/token"
	"go/types"

	"taskinstr/internal/site"
)

// The names under which this package asks package site.

const (
	temporary = site.Temporary
	local     = site.Local
	reachable = site.Reachable
)

func isPointer(t types.Type) bool                             { return site.IsPointer(t) }
func isArray(t types.Type) bool                               { return site.IsArray(t) }
func isTypeParam(t types.Type) bool                           { return site.IsTypeParam(t) }
func isGlobal(v *types.Var) bool                              { return site.IsGlobal(v) }
func isBlank(e ast.Expr) bool                                 { return site.IsBlank(e) }
func isBool(t types.Type) bool                                { return site.IsBool(t) }
func elem(t types.Type) types.Type                            { return site.Elem(t) }
func core(t types.Type) types.Type                            { return site.Core(t) }
func throughPointer(t types.Type, path []int) bool            { return site.ThroughPointer(t, path) }
func parameters(lists ...*ast.FieldList) []*ast.Ident         { return site.Parameters(lists...) }
func (p *pkg) typeOf(e ast.Expr) types.Type                   { return p.TypeOf(e) }
func (p *pkg) size(t types.Type) int64                        { return p.Size(t) }
func (p *pkg) shared(v *types.Var) bool                       { return p.Shared(v) }
func (p *pkg) root(e ast.Expr) *ast.Ident                     { return p.Root(e) }
func (p *pkg) punned(e *ast.StarExpr) ast.Expr                { return p.Punned(e) }
func (f *file) storageOf(e ast.Expr) site.Storage             { return f.pkg.Storage(e) }
func (f *file) calls(e ast.Expr) bool                         { return f.pkg.Calls(e) }
func (f *file) nameable(e ast.Expr) bool                      { return f.pkg.Nameable(e) }
func (f *file) constFree(e ast.Expr) bool                     { return f.pkg.ConstFree(e) }
func (f *file) what(e ast.Expr) string                        { return f.pkg.What(e) }
func (f *file) typeName(t types.Type) string                  { return f.pkg.TypeName(t) }
func (f *file) position(pos token.Pos) string                 { return f.File.Position(pos, f.pkg.cfg.Filename) }
func (f *file) spell(t types.Type, n ast.Node) (string, bool) { return f.File.Spell(t, n) }

// quiet reports whether evaluating e can neither call, nor block, nor panic, apart from
// units that stand in front of the statement.
func (f *file) quiet(e ast.Expr) bool {
	return f.pkg.Quiet(e, func(e ast.Expr) bool { return f.moved[e] })
}
