package pdfium

import (
	"bufio"
	"bytes"
	"encoding/gob"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"math"
	"os"
	"os/signal"
	"time"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

const (
	// density is how many pixels a picture has in an inch, and mostPixels how many in all.
	density    = 144
	mostPixels = 6 << 20
	// mostPNG is up to which size a picture is a PNG: what takes more is a photo.
	mostPNG = 1 << 20
	// memory is how much a child may take, in bytes.
	memory = 1 << 30
)

// ChildMain turns the process into one that draws pages when it was started as one, and
// returns at once when it was not.
func ChildMain() {
	if len(os.Args) != 2 || os.Args[1] != childArgument {
		return
	}
	signal.Ignore(os.Interrupt) // Ctrl-C is the service's to handle
	limitProcess(memory)
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func serve(in io.Reader, out io.Writer) error {
	var t task
	if err := gob.NewDecoder(bufio.NewReader(in)).Decode(&t); err != nil {
		return err
	}
	pool, err := webassembly.Init(webassembly.Config{
		MinIdle: 1, MaxIdle: 1, MaxTotal: 1,
		FSConfig:      wazero.NewFSConfig(), // by default it has all files
		RuntimeConfig: wazero.NewRuntimeConfig().WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).WithMemoryLimitPages(memory / 2 / (64 << 10)),
		Stdout:        io.Discard, Stderr: io.Discard,
	})
	if err != nil {
		return err
	}
	instance, err := pool.GetInstance(time.Minute)
	if err != nil {
		return err
	}
	doc, err := instance.OpenDocument(&requests.OpenDocument{File: &t.Content})
	if err != nil {
		return err
	}
	enc := gob.NewEncoder(out)
	for _, n := range t.Pages {
		p, err := picture(instance, doc.Document, n)
		if err != nil {
			p = Picture{}
		}
		if err := enc.Encode(p); err != nil {
			return err
		}
	}
	return nil
}

func picture(instance pdfium.Pdfium, doc references.FPDF_DOCUMENT, n int) (Picture, error) {
	page := requests.Page{ByIndex: &requests.PageByIndex{Document: doc, Index: n - 1}}
	size, err := instance.GetPageSize(&requests.GetPageSize{Page: page})
	if err != nil {
		return Picture{}, err
	}
	const point = 72
	dpi := float64(density)
	if pixels := size.Width * size.Height * dpi * dpi / point / point; pixels > mostPixels {
		dpi *= math.Sqrt(mostPixels / pixels)
	}
	drawn, err := instance.RenderPageInDPI(&requests.RenderPageInDPI{Page: page, DPI: max(1, int(dpi)), RenderFlags: enums.FPDF_RENDER_FLAG_ANNOT, RenderForm: true, Document: &doc})
	if err != nil {
		return Picture{}, err
	}
	defer drawn.Cleanup()
	return packed(drawn.Result.RenderedImage)
}

// packed is a picture as a file.
func packed(img image.Image) (Picture, error) {
	var b bytes.Buffer
	p := Picture{Type: "image/png", Width: img.Bounds().Dx(), Height: img.Bounds().Dy()}
	err := png.Encode(&b, img)
	if err == nil && b.Len() > mostPNG {
		p.Type = "image/jpeg"
		b.Reset()
		err = jpeg.Encode(&b, img, &jpeg.Options{Quality: 88})
	}
	p.Content = b.Bytes()
	return p, err
}
