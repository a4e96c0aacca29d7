// Package docs has tests only: they compare statements of the README and of the documents
// below docs with the code.
package docs
