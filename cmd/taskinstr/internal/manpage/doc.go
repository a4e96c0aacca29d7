// Package manpage turns help texts into manual pages (man(7)). The texts are plain: blocks
// that a tab indents stay as they are, other lines fill paragraphs.
package manpage
