// Package bytemap maps each byte of memory to a value, for detectors with a history for
// each byte. Most bytes of a word share their value, and so do most words of a range: the
// map has one value for each word of 8 bytes, and eight values only for a word whose
// bytes differ. [Map.Update] visits a range in runs of equal values, so that a detector
// processes an access once for each run and not for each byte.
package bytemap
