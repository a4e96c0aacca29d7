// Package serial is what detectors of serial execution share.
package serial
