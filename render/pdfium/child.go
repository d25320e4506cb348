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
	// memory is how much PDFium may take, in bytes; a child may take bound.
	memory = 512 << 20
)

// ChildMain turns the process into one that draws pages when it was started as one, and
// returns at once when it was not.
func ChildMain() {
	if len(os.Args) != 3 || os.Args[1] != childArgument {
		return
	}
	signal.Ignore(os.Interrupt) // Ctrl-C is the service's to handle
	limitMemory(bound)
	if err := serve(os.Args[2], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// serve makes PDFium ready before it reads a byte of the document; from then on it writes
// no files.
func serve(folder string, in io.Reader, out io.Writer) error {
	instance, err := start(folder)
	if err != nil {
		return err
	}
	var t task
	if err := gob.NewDecoder(bufio.NewReader(in)).Decode(&t); err != nil {
		return err
	}
	limitWork(uint64(t.Seconds))
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

// start has PDFium ready, from what an earlier child compiled where that is there.
func start(folder string) (pdfium.Pdfium, error) {
	pool, err := open(compiled(folder))
	if err != nil && folder != "" { // nothing that lies in a folder is in the way
		pool, err = open(nil)
	}
	if err != nil {
		return nil, err
	}
	return pool.GetInstance(time.Minute)
}

func open(cache wazero.CompilationCache) (pdfium.Pool, error) {
	config := wazero.NewRuntimeConfig().WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).WithMemoryLimitPages(memory / (64 << 10))
	if cache != nil {
		config = config.WithCompilationCache(cache)
	}
	return webassembly.Init(webassembly.Config{
		MinIdle: 1, MaxIdle: 1, MaxTotal: 1,
		FSConfig:      wazero.NewFSConfig(), // by default it has all files
		RuntimeConfig: config, Stdout: io.Discard, Stderr: io.Discard,
	})
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
