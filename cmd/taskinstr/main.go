package main

import (
	"os"

	"taskinstr/cmd/taskinstr/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr))
}
