//go:build !linux

package pdfium

import "os"

func limitMemory(uint64) {}

func limitWork(uint64) {}

func executable() (string, error) { return os.Executable() }
