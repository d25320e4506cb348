//go:build !linux

package pdfium

import "os"

func limitProcess(uint64) {}

func executable() (string, error) { return os.Executable() }
