// Command imaging scales, blurs and rotates a picture; each operation divides its rows
// among tasks.
package main

import (
	"image"
	"image/color"
	"log"

	"github.com/disintegration/imaging"
)

const (
	width  = 640
	height = 480
	rounds = 2
)

func main() {
	picture := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			picture.SetNRGBA(x, y, color.NRGBA{uint8(x), uint8(y), uint8(x * y), 255})
		}
	}
	var last *image.NRGBA
	for range rounds {
		small := imaging.Resize(picture, width/2, 0, imaging.Lanczos)
		blurred := imaging.Blur(small, 1.5)
		sharp := imaging.Sharpen(imaging.AdjustContrast(blurred, 20), 1)
		turned := imaging.Rotate90(imaging.FlipH(imaging.Grayscale(sharp)))
		pasted := imaging.Overlay(picture, turned, image.Pt(10, 10), 0.5)
		if last != nil && string(last.Pix) != string(pasted.Pix) {
			log.Fatal("two rounds make different pictures")
		}
		last = pasted
	}
	if last.Bounds() != picture.Bounds() {
		log.Fatalf("the picture is %v, want %v", last.Bounds(), picture.Bounds())
	}
}
