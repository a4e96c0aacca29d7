// Package archive adds a member to a compiled package and reads it back.
//
// The go command keeps a compiled package as an ar archive: the export data first
// (__.PKGDEF), then object code. The linker skips every further member that has a short
// name and an extension other than .o and .syso (cmd/link/internal/ld, loadobjfile), and
// importers read the first member alone. So a tool may leave data of its own in the
// archive. The data lives and dies with the entry of go's build cache, and an importer of
// the package finds it in the file of the export data.
//
// The format is the one of Unix ar as cmd/pack writes it: the line "!<arch>", then for
// each member a header of 60 bytes (name 16, time 12, user 6, group 6, mode 8, size 10, all
// padded with blanks, and a mark of two bytes) and the data, padded to an even length.
// Append writes a time, a user and a group of zero: equal inputs give equal bytes.
package archive
