// Command x-image scales, turns and fills pictures; four tasks draw bands of the same picture.
package main

import (
	"image"
	"image/color"
	"log"
	"sync"

	"golang.org/x/image/draw"
	"golang.org/x/image/math/f64"
	"golang.org/x/image/vector"
)

const (
	tasks  = 4
	width  = 320
	height = 240
)

func main() {
	from := image.NewRGBA(image.Rect(0, 0, width, height))
	planes := image.NewYCbCr(from.Rect, image.YCbCrSubsampleRatio420)
	for y := range height {
		for x := range width {
			from.SetRGBA(x, y, color.RGBA{uint8(x), uint8(y), uint8(x * y), 255})
			planes.Y[planes.YOffset(x, y)] = uint8(x ^ y)
			planes.Cb[planes.COffset(x, y)] = uint8(x)
			planes.Cr[planes.COffset(x, y)] = uint8(y)
		}
	}
	one, all := paint(from, planes, 1), paint(from, planes, tasks)
	if string(one.Pix) != string(all.Pix) {
		log.Fatalf("%d tasks make another picture than one", tasks)
	}
}

// paint draws a picture of which each task draws a band of rows.
func paint(from *image.RGBA, planes *image.YCbCr, tasks int) *image.RGBA {
	to := image.NewRGBA(image.Rect(0, 0, width*3/2, height*3/2))
	var wg sync.WaitGroup
	rows := to.Rect.Dy() / tasks
	for task := range tasks {
		wg.Go(func() {
			band := to.SubImage(image.Rect(0, task*rows, to.Rect.Dx(), (task+1)*rows)).(*image.RGBA)
			// A kernel scaler draws all of its destination, whose bounds are the picture's, and
			// only in the clip of the band.
			draw.BiLinear.Scale(band, to.Rect, planes, planes.Rect, draw.Src, nil)
			turn := f64.Aff3{0.8, -0.6, 90, 0.6, 0.8, -30}
			draw.CatmullRom.Transform(band, turn, from, from.Rect, draw.Over, nil)
			draw.NearestNeighbor.Scale(band, to.Rect.Inset(40), from, from.Rect, draw.Over, nil)
			draw.ApproxBiLinear.Scale(band, to.Rect.Inset(80), from, from.Rect, draw.Over, nil)
			// The shape is of whole coordinates, so that each band has the same edges.
			shape := vector.NewRasterizer(band.Rect.Dx(), to.Rect.Dy())
			for i := range 40 {
				x, y := float32(i*11%400), float32(i*7%300)
				shape.MoveTo(x, y)
				shape.LineTo(x+60, y+10)
				shape.QuadTo(x+90, y+50, x+30, y+60)
				shape.ClosePath()
			}
			mask := image.NewAlpha(to.Rect)
			shape.Draw(mask, to.Rect, image.Opaque, image.Point{})
			draw.DrawMask(band, band.Rect, image.NewUniform(color.RGBA{200, 20, 120, 255}), image.Point{}, mask, band.Rect.Min, draw.Over)
		})
	}
	wg.Wait()
	return to
}
