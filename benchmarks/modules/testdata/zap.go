// Command zap logs to one buffer in eight tasks, directly and through child loggers.
package main

import (
	"bytes"
	"errors"
	"log"
	"sync"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

const (
	tasks = 8
	steps = 800 // of each task, three lines each
)

type point struct{ x, y int }

func (p point) MarshalLogObject(e zapcore.ObjectEncoder) error {
	e.AddInt("x", p.x)
	e.AddInt("y", p.y)
	return nil
}

func main() {
	var out bytes.Buffer
	core := zapcore.NewCore(
		zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()),
		zapcore.Lock(zapcore.AddSync(&out)),
		zap.NewAtomicLevelAt(zap.InfoLevel),
	)
	logger := zap.New(core, zap.AddCaller(), zap.AddStacktrace(zap.PanicLevel))
	failure := errors.New("no such thing")
	var wg sync.WaitGroup
	for t := range tasks {
		wg.Go(func() {
			child := logger.Named("task").With(zap.Int("task", t), zap.Duration("limit", time.Second))
			sugar := child.Sugar()
			for i := range steps {
				logger.Info("a message", zap.Int("i", i), zap.String("word", "some \"text\""), zap.Strings("list", []string{"a", "b"}))
				child.Warn("a problem", zap.Error(failure), zap.Object("at", point{t, i}), zap.Any("any", map[string]int{"k": i}))
				sugar.Infow("a sweet message", "i", i, "half", float64(i)/2)
				child.Debug("not written", zap.Int("i", i))
			}
		})
	}
	wg.Wait()
	if n := bytes.Count(out.Bytes(), []byte("\n")); n != 3*tasks*steps {
		log.Fatalf("%d lines, want %d", n, 3*tasks*steps)
	}
}
