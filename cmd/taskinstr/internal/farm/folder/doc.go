// Package folder packs the folder of a package's tests into one file and unpacks it on another
// machine, so that a test finds the files that it reads: those beside its sources, and
// everything below testdata. The same files give the same bytes, whatever their times and owners
// are, so a digest of the packed file names the contents. The form is that of zip:
// archive/tar imports os/user, with which programs are linked dynamically, and so start later.
package folder
