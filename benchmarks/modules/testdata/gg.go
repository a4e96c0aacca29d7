// Command gg draws shapes, gradients and turned pictures in four tasks, each on a canvas of its own.
package main

import (
	"image"
	"image/color"
	"log"
	"math"
	"sync"

	"github.com/fogleman/gg"
)

const (
	tasks  = 4
	rounds = 4 // of each task
	size   = 256
)

func main() {
	stamp := image.NewRGBA(image.Rect(0, 0, 64, 64))
	for i := range stamp.Pix {
		stamp.Pix[i] = byte(i * 7)
	}
	pictures := make([]*image.RGBA, tasks)
	var wg sync.WaitGroup
	for task := range tasks {
		wg.Go(func() {
			for range rounds {
				pictures[task] = paint(stamp)
			}
		})
	}
	wg.Wait()
	for task, p := range pictures {
		if string(p.Pix) != string(pictures[0].Pix) {
			log.Fatalf("task %d painted another picture than task 0", task)
		}
	}
}

func paint(stamp image.Image) *image.RGBA {
	c := gg.NewContext(size, size)
	c.SetRGB(1, 1, 1)
	c.Clear()
	sky := gg.NewLinearGradient(0, 0, 0, size)
	sky.AddColorStop(0, color.RGBA{0, 0, 255, 255})
	sky.AddColorStop(1, color.RGBA{255, 255, 0, 255})
	c.SetFillStyle(sky)
	c.DrawRectangle(10, 10, size-20, size-20)
	c.Fill()
	for i := range 60 {
		a := float64(i) / 60 * 2 * math.Pi
		c.SetRGBA(a/7, 0.5, 1-a/7, 0.6)
		c.SetLineWidth(1 + a)
		c.DrawLine(size/2, size/2, size/2+100*math.Cos(a), size/2+100*math.Sin(a))
		c.Stroke()
		c.DrawCircle(size/2+80*math.Cos(a), size/2+80*math.Sin(a), 12)
		c.Fill()
	}
	c.Push()
	c.RotateAbout(gg.Radians(30), size/2, size/2)
	c.DrawImageAnchored(stamp, size/2, size/2, 0.5, 0.5)
	c.Pop()
	return c.Image().(*image.RGBA)
}
