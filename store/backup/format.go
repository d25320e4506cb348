package backup

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"unicode/utf8"

	"github.com/quire-reports/quire/store"
)

// put writes what fill does as one content and tells its size and SHA-256.
func put(ctx context.Context, to *store.Contents, key, contentType string, fill func(io.Writer) error) (size int64, sum string, err error) {
	r, w := io.Pipe()
	go func() { w.CloseWithError(fill(w)) }()
	defer func() { _ = r.Close() }() // ends fill when writing fails
	hash := sha256.New()
	size, err = to.Put(ctx, key, contentType, io.TeeReader(r, hash))
	return size, hex.EncodeToString(hash.Sum(nil)), err
}

// putLines writes JSON values, a line each, compressed.
func putLines(ctx context.Context, to *store.Contents, key string, fill func(line func(any) error) error) (sum string, err error) {
	_, sum, err = put(ctx, to, key, "application/gzip", func(w io.Writer) error {
		z := gzip.NewWriter(w)
		buffered := bufio.NewWriterSize(z, 64<<10)
		encoder := json.NewEncoder(buffered)
		encoder.SetEscapeHTML(false)
		return errors.Join(fill(encoder.Encode), buffered.Flush(), z.Close())
	})
	return sum, err
}

// lines calls each for those of a content, and fails when it is not as it was.
func lines(ctx context.Context, from *store.Contents, key, sum string, each func(line []byte) error) error {
	content, err := from.Open(ctx, key)
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	defer func() { _ = content.Close() }()
	hash := sha256.New()
	whole := io.TeeReader(content, hash)
	z, err := gzip.NewReader(whole)
	if err != nil {
		return damaged(key, err)
	}
	buffered := bufio.NewReaderSize(z, 64<<10)
	for {
		line, err := buffered.ReadBytes('\n')
		if len(line) > 0 {
			if err := each(line); err != nil {
				if summed(whole, hash, sum) != nil { // the line is none that was written
					return damaged(key, err)
				}
				return fmt.Errorf("%s: %w", key, err)
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return damaged(key, err)
		}
	}
	if err := summed(whole, hash, sum); err != nil {
		return damaged(key, err)
	}
	return nil
}

// summed reads the rest of a content and compares its sum.
func summed(rest io.Reader, hash hash.Hash, sum string) error {
	if _, err := io.Copy(io.Discard, rest); err != nil {
		return err
	}
	if got := hex.EncodeToString(hash.Sum(nil)); got != sum {
		return fmt.Errorf("its SHA-256 is %s and was %s", got, sum)
	}
	return nil
}

func damaged(key string, err error) error {
	return fmt.Errorf("the backup is damaged: %s: %w", key, err)
}

// odd is a text that is no UTF-8, which JSON cannot hold.
type odd struct {
	Base64 []byte `json:"base64"`
}

// written is a row as it goes into a line.
func written(row []any) []any {
	for i, v := range row {
		if text, ok := v.(string); ok && !utf8.ValidString(text) {
			row[i] = odd{[]byte(text)}
		}
	}
	return row // JSON has bytes as base64
}

// read is a row as it came from a line.
func read(line []byte, columns []store.Column) ([]any, error) {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.UseNumber()
	var row []any
	if err := decoder.Decode(&row); err != nil {
		return nil, err
	}
	if len(row) != len(columns) {
		return nil, fmt.Errorf("a row has %d values for %d columns", len(row), len(columns))
	}
	for i, c := range columns {
		var err error
		switch v := row[i].(type) {
		case json.Number:
			row[i], err = v.Int64()
		case string:
			if c.Kind == store.KindBytes {
				row[i], err = base64.StdEncoding.DecodeString(v)
			}
		case map[string]any:
			text, _ := v["base64"].(string)
			var raw []byte
			raw, err = base64.StdEncoding.DecodeString(text)
			row[i] = string(raw)
		}
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
		}
	}
	return row, nil
}
