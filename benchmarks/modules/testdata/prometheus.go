// Command prometheus updates labelled metrics in eight tasks while two others scrape them.
package main

import (
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

const (
	tasks   = 8
	updates = 10000 // of each task and metric
	scrapes = 10    // of each scraper
)

var codes = []string{"200", "404", "500"}

func main() {
	registry := prometheus.NewRegistry()
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "requests_total"}, []string{"code", "method"})
	latency := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "latency", Buckets: prometheus.ExponentialBuckets(1, 2, 10)}, []string{"code"})
	running := prometheus.NewGauge(prometheus.GaugeOpts{Name: "running"})
	sizes := prometheus.NewSummary(prometheus.SummaryOpts{Name: "sizes", Objectives: map[float64]float64{0.5: 0.05, 0.9: 0.01}})
	registry.MustRegister(requests, latency, running, sizes)
	handler := promhttp.HandlerFor(registry, promhttp.HandlerOpts{})

	var wg sync.WaitGroup
	for t := range tasks {
		wg.Go(func() {
			for i := range updates {
				code := codes[(t+i)%len(codes)]
				running.Inc()
				requests.WithLabelValues(code, "GET").Inc()
				latency.WithLabelValues(code).Observe(float64(i % 700))
				sizes.Observe(float64(i % 100))
				running.Dec()
			}
		})
	}
	for range 2 {
		wg.Go(func() {
			for range scrapes {
				scrape(handler)
			}
		})
	}
	wg.Wait()
	text := scrape(handler)
	for _, want := range []string{"\nrunning 0\n", "\nsizes_count 80000\n"} {
		if !strings.Contains(text, want) {
			log.Fatalf("no %q in\n%s", want, text)
		}
	}
}

func scrape(h http.Handler) string {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if w.Code != http.StatusOK {
		log.Fatalf("status %d\n%s", w.Code, w.Body)
	}
	return w.Body.String()
}
