// Command picture-codecs encodes and decodes a picture as JPEG, PNG, GIF, TIFF and BMP in four tasks.
package main

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"log"
	"math"
	"sync"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
)

const (
	tasks  = 4
	width  = 240
	height = 160
	// difference is the greatest mean difference, of 255, of a picture that a codec may change.
	difference = 24
)

type codec struct {
	name   string
	exact  bool
	encode func(io.Writer, image.Image) error
	decode func(io.Reader) (image.Image, error)
}

var codecs = []codec{
	{"jpeg", false, func(w io.Writer, m image.Image) error { return jpeg.Encode(w, m, nil) }, jpeg.Decode},
	{"png", true, png.Encode, png.Decode},
	{"gif", false, func(w io.Writer, m image.Image) error { return gif.Encode(w, m, nil) }, gif.Decode},
	{"tiff", true, func(w io.Writer, m image.Image) error {
		return tiff.Encode(w, m, &tiff.Options{Compression: tiff.Deflate, Predictor: true})
	}, tiff.Decode},
	{"bmp", true, bmp.Encode, bmp.Decode},
}

func main() {
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			picture.SetRGBA(x, y, color.RGBA{uint8(x), uint8(y), uint8(x + y), 255})
		}
	}
	var wg sync.WaitGroup
	for range tasks {
		wg.Go(func() {
			for _, c := range codecs {
				convert(c, picture)
			}
		})
	}
	wg.Wait()
}

func convert(c codec, picture *image.RGBA) {
	var b bytes.Buffer
	if err := c.encode(&b, picture); err != nil {
		log.Fatalf("%s: %v", c.name, err)
	}
	back, err := c.decode(&b)
	if err != nil || back.Bounds() != picture.Bounds() {
		log.Fatalf("%s: %v", c.name, err)
	}
	var sum float64
	for y := range height {
		for x := range width {
			r, _, _, _ := back.At(x, y).RGBA()
			sum += math.Abs(float64(r>>8) - float64(picture.RGBAAt(x, y).R))
		}
	}
	if mean := sum / (width * height); mean > difference || c.exact && mean != 0 {
		log.Fatalf("%s: the mean difference is %v", c.name, mean)
	}
}
