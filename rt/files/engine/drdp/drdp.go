//go:build taskinstr_runtime

// The constants of package detector/serial/drdp alone.

package runtime

// se_readerLists: a word may have several readers.
const se_readerLists = true

// se_lineWords: tasks work on blocks of matrices, and a line has one range of words.
const se_lineWords = 16

// tr_depthFirst: promises may be got in any order.
const tr_depthFirst = false
