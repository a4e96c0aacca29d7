// Package bytemap maps each byte of memory to a value, for detectors that keep a
// history for each byte. Most bytes of a word share their value, and most words of a
// range do: the map has one value for each word of 8 bytes, and eight only for words
// whose bytes differ. [Map.Update] visits a range in runs of equal values, so a
// detector does the work of one access once for each run and not for each byte.
package bytemap
