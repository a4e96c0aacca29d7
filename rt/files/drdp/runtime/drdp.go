//go:build taskinstr_runtime

// What package detector/drdp/online alone asks of its host, as package runtime gives it.

package runtime

// se_readerLists: a word may have several readers.
const se_readerLists = true

// tr_depthFirst: promises may be got in any order.
const tr_depthFirst = false
