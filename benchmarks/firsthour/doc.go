// Command firsthour repeats the first hour of a new user of taskinstr, and shows what the
// user sees: it installs the command, runs README's example, and takes a small gRPC service through
// build, test, a baseline, the files for CI and editors, lint, bench, the exploration of schedules
// and the page of reports.
//
//	go run ./benchmarks/firsthour
//	go run ./benchmarks/firsthour -short
//	go run ./benchmarks/firsthour -lines=0 >transcript.txt
//
// Run it in the folder of taskinstr's go.mod. The build cache, the installed commands, the service
// and all outputs are in one new folder (about 2 GB), which the command removes at its end; -keep
// leaves it. Modules come from the module cache of the user. -short leaves out the steps that
// compile the standard library once more or measure.
//
// Each step is shown with its command line, wall and processor time, exit code and the first lines
// of its output. A step fails if the exit code is not the expected one or a part of the expected
// output is missing. The table at the end is Markdown. The exit code is 1 if a step has failed.
package main
