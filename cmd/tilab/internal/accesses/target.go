package accesses

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// modules are well-known modules to compare, fetched through the module proxy that the
// go command uses.
var modules = []string{
	"github.com/dgraph-io/badger/v4@v4.9.6",
	"github.com/evanw/esbuild@v0.28.2",
	"github.com/gin-gonic/gin@v1.12.0",
	"github.com/klauspost/compress@v1.20.3",
	"github.com/labstack/echo/v4@v4.16.0",
	"github.com/nats-io/nats-server/v2@v2.15.2",
	"github.com/prometheus/client_golang@v1.25.0",
	"github.com/redis/go-redis/v9@v9.23.0",
	"github.com/rs/zerolog@v1.35.1",
	"github.com/spf13/cobra@v1.10.2",
	"go.etcd.io/bbolt@v1.5.0",
	"go.etcd.io/raft/v3@v3.7.0",
	"go.uber.org/zap@v1.28.0",
	"golang.org/x/tools@v0.52.0",
	"google.golang.org/grpc@v1.85.0",
	"google.golang.org/protobuf@v1.36.12",
}

// modulesArg is the argument that names all of them.
const modulesArg = "modules"

// A target is the packages of one audit: packages of the current module, or all packages of
// another module.
type target struct {
	name     string
	patterns []string
	module   string // path@version to fetch, "" for the current module
}

// targets returns the targets that the arguments name.
func targets(args []string) (list []target) {
	var own []string
	add := func(module string) {
		path, _, _ := strings.Cut(module, "@")
		list = append(list, target{module, []string{path + "/..."}, module})
	}
	for _, a := range args {
		switch {
		case a == modulesArg:
			for _, m := range modules {
				add(m)
			}
		case strings.Contains(a, "@"):
			add(a)
		default:
			own = append(own, a)
		}
	}
	if len(own) > 0 {
		list = append([]target{{strings.Join(own, " "), own, ""}}, list...)
	}
	return list
}

// world lists the target's packages, below the temporary folder tmp.
func (t target) world(ctx context.Context, tmp string, parallel int) (*world, error) {
	if t.module == "" {
		w, err := newWorld(ctx, "", tmp, parallel)
		if err != nil {
			return nil, err
		}
		return w, w.list(t.patterns)
	}
	// A new module requires the module, so that dependencies are selected as for its users.
	dir := filepath.Join(tmp, "module")
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	w, err := newWorld(ctx, dir, tmp, parallel, "GOWORK=off", "GO111MODULE=on", "GOFLAGS=-mod=mod")
	if err != nil {
		return nil, err
	}
	if _, err := w.output(w.gocmd, "mod", "init", "audit"); err != nil {
		return nil, err
	}
	if _, err := w.output(w.gocmd, "get", t.module); err != nil {
		return nil, fmt.Errorf("cannot fetch %s: %w; it takes a module proxy or a filled module cache", t.module, err)
	}
	return w, w.list(t.patterns)
}
