package render

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
)

// fontconfig is the file that tells the browser where its fonts are: the one
// that was given, or, with folders of further fonts, one that adds them.
func fontconfig(c Config, dir string) (string, error) {
	if len(c.FontDirs) == 0 {
		return c.Fontconfig, nil
	}
	before := c.Fontconfig
	if before == "" {
		before = os.Getenv("FONTCONFIG_FILE")
	}
	if before == "" {
		before = "/etc/fonts/fonts.conf"
	}
	var b bytes.Buffer
	b.WriteString("<?xml version=\"1.0\"?>\n<!DOCTYPE fontconfig SYSTEM \"fonts.dtd\">\n<fontconfig>\n")
	line := func(tag, attributes, path string) {
		fmt.Fprintf(&b, "<%s%s>", tag, attributes)
		_ = xml.EscapeText(&b, []byte(path)) // a buffer takes everything
		fmt.Fprintf(&b, "</%s>\n", tag)
	}
	for _, folder := range c.FontDirs {
		if absolute, err := filepath.Abs(folder); err == nil {
			folder = absolute
		}
		line("dir", "", folder)
	}
	// Looking at hundreds of fonts takes a part of a second at every start.
	if cache, err := os.UserCacheDir(); err == nil {
		line("cachedir", "", filepath.Join(cache, "quire", "fontconfig"))
	}
	line("include", ` ignore_missing="yes"`, before)
	b.WriteString("</fontconfig>\n")
	file := filepath.Join(dir, "fonts.conf")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		return "", fmt.Errorf("telling the browser of its fonts: %w", err)
	}
	return file, nil
}
