package modules

// Recipes is the table of recipes, grouped by the kind of program.
var Recipes = []Recipe{
	// Servers, with their clients, on the loopback device.
	{Name: "chi", Module: "github.com/go-chi/chi/v5", Version: "v5.5.0"},
	{Name: "fasthttp", Module: "github.com/valyala/fasthttp", Version: "v1.77.0"},
	{Name: "grpc", Module: "google.golang.org/grpc", Version: "v1.85.0"},
	{Name: "nats", Module: "github.com/nats-io/nats-server/v2", Version: "v2.15.2", Also: []string{"github.com/nats-io/nats.go@v1.55.0"}},
	{Name: "dns", Module: "github.com/miekg/dns", Version: "v1.1.73"},
	{Name: "websocket", Module: "github.com/gorilla/websocket", Version: "v1.5.3"},

	// Compilers, interpreters and parsers. A test of goja's profiler waits for time to pass.
	{Name: "esbuild", Module: "github.com/evanw/esbuild", Version: "v0.28.2"},
	{Name: "goja", Module: "github.com/dop251/goja", Version: "v0.0.0-20260917113740-793a2a65c13b",
		Tests: &Tests{".", []string{"-test.skip=Profiler"}}},
	{Name: "goldmark", Module: "github.com/yuin/goldmark", Version: "v1.8.7"},

	// JSON, protocol buffers, templates.
	{Name: "go-json", Module: "github.com/goccy/go-json", Version: "v0.12.0"},
	{Name: "protobuf", Module: "google.golang.org/protobuf", Version: "v1.36.12",
		Tests: &Tests{"proto", []string{"-test.count=2"}}},
	{Name: "pongo2", Module: "github.com/flosch/pongo2/v6", Version: "v6.0.0"},

	// Consensus.
	{Name: "raft", Module: "go.etcd.io/raft/v3", Version: "v3.7.0", Tests: &Tests{".", nil}},

	// Stores, and the skip lists in them. The values of badger's test of big values take
	// more than a gigabyte with -race.
	{Name: "badger-skl", Module: "github.com/dgraph-io/badger/v4", Version: "v4.9.6",
		Tests: &Tests{"skl", []string{"-test.skip=BigValues", "-test.count=5"}}},
	{Name: "pebble-skl", Module: "github.com/cockroachdb/pebble", Version: "v1.1.5", Tests: &Tests{"internal/arenaskl", []string{"-test.count=2"}}},
	{Name: "goleveldb", Module: "github.com/syndtr/goleveldb", Version: "v1.0.0"},
	{Name: "bbolt", Module: "go.etcd.io/bbolt", Version: "v1.5.0"},
	{Name: "memdb", Module: "github.com/hashicorp/go-memdb", Version: "v1.3.5"},

	// Caches.
	{Name: "golang-lru", Module: "github.com/hashicorp/golang-lru/v2", Version: "v2.0.7"},
	{Name: "ristretto", Module: "github.com/dgraph-io/ristretto/v2", Version: "v2.4.2"},
	{Name: "otter", Module: "github.com/maypok86/otter/v2", Version: "v2.4.0"},

	// Queues and maps without locks. The other tests of xsync's map take a minute with a
	// race detector.
	{Name: "xsync", Module: "github.com/puzpuzpuz/xsync/v4", Version: "v4.5.0",
		Tests: &Tests{".", []string{"-test.run=^(TestUMPSCQueue|TestMPMC.*|TestRBMutex.*|TestCounter.*|TestMapParallelStoresAndDeletes)$"}}},

	// Metrics and logging.
	{Name: "prometheus", Module: "github.com/prometheus/client_golang", Version: "v1.25.0"},
	{Name: "zap", Module: "go.uber.org/zap", Version: "v1.28.0"},

	// Images and compression.
	{Name: "imaging", Module: "github.com/disintegration/imaging", Version: "v1.6.2"},
	{Name: "klauspost-compress", Module: "github.com/klauspost/compress", Version: "v1.20.3"},

	// Thousands of tasks, in groups and in pools of workers.
	{Name: "errgroup", Module: "golang.org/x/sync", Version: "v0.24.0"},
	{Name: "conc", Module: "github.com/sourcegraph/conc", Version: "v0.3.0"},
	{Name: "ants", Module: "github.com/panjf2000/ants/v2", Version: "v2.12.1"},
}
