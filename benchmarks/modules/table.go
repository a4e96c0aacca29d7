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

	// Streams over one connection. The tests have time limits, which a program must not miss because a detector stops it. One of them takes a
	// minute with a race detector.
	{Name: "yamux", Module: "github.com/hashicorp/yamux", Version: "v0.1.2", Tests: &Tests{".", []string{"-test.skip=VeryLarge"}}},

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

	// Compression. Tags select the Go code of modules that have assembly, too.
	{Name: "klauspost-compress", Kind: Codecs, Module: "github.com/klauspost/compress", Version: "v1.20.3", Tags: []string{"noasm"}},
	{Name: "snappy", Kind: Codecs, Module: "github.com/golang/snappy", Version: "v1.0.0", Tags: []string{"noasm"}},
	{Name: "lz4", Kind: Codecs, Module: "github.com/pierrec/lz4/v4", Version: "v4.1.33", Tags: []string{"noasm"}},
	{Name: "brotli", Kind: Codecs, Module: "github.com/andybalholm/brotli", Version: "v1.2.8"},

	// Hashes, ciphers and codes that correct errors.
	{Name: "xxhash", Kind: Codecs, Module: "github.com/cespare/xxhash/v2", Version: "v2.3.0", Tags: []string{"purego"}},
	{Name: "blake3", Kind: Codecs, Module: "github.com/zeebo/blake3", Version: "v0.2.4", Tags: []string{"purego"}},
	{Name: "x-crypto", Kind: Codecs, Module: "golang.org/x/crypto", Version: "v0.58.0", Tags: []string{"purego"}},
	{Name: "reedsolomon", Kind: Codecs, Module: "github.com/klauspost/reedsolomon", Version: "v1.14.2", Tags: []string{"noasm"}},

	// Pictures.
	{Name: "imaging", Kind: Codecs, Module: "github.com/disintegration/imaging", Version: "v1.6.2"},
	{Name: "x-image", Kind: Codecs, Module: "golang.org/x/image", Version: "v0.47.0", Tags: []string{"noasm"}},
	{Name: "picture-codecs", Kind: Codecs, Module: "golang.org/x/image", Version: "v0.47.0"},
	{Name: "gg", Kind: Codecs, Module: "github.com/fogleman/gg", Version: "v1.3.0"},

	// Sound.
	{Name: "flac", Kind: Codecs, Module: "github.com/mewkiz/flac", Version: "v1.0.14"},
	{Name: "mp3", Kind: Codecs, Module: "github.com/hajimehoshi/go-mp3", Version: "v0.3.4"},

	// Vectors and matrices.
	{Name: "gonum", Kind: Codecs, Module: "gonum.org/v1/gonum", Version: "v0.17.0", Tags: []string{"noasm"}},

	// Thousands of tasks, in groups and in pools of workers.
	{Name: "errgroup", Module: "golang.org/x/sync", Version: "v0.24.0"},
	{Name: "conc", Module: "github.com/sourcegraph/conc", Version: "v0.3.0"},
	{Name: "ants", Module: "github.com/panjf2000/ants/v2", Version: "v2.12.1"},
}
