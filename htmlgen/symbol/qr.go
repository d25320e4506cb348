package symbol

import (
	"fmt"

	"github.com/skip2/go-qrcode"
)

// qrLevels are the error correction levels: the share of the code that may be
// covered is 7, 15, 25 and 30 percent.
var qrLevels = map[string]qrcode.RecoveryLevel{"L": qrcode.Low, "M": qrcode.Medium, "Q": qrcode.High, "H": qrcode.Highest}

// maxQR is how many bytes a QR code holds at each level (ISO/IEC 18004, table
// 7, version 40).
var maxQR = map[string]int{"L": 2953, "M": 2331, "Q": 1663, "H": 1273}

// QR encodes a text as a QR code: rows of modules without the quiet zone. The
// level is L, M, Q or H; without one it is M, or L where only that holds the text.
func QR(text, level string) ([][]bool, error) {
	if text == "" {
		return nil, fmt.Errorf("the text is empty")
	}
	if level == "" {
		if level = "M"; len(text) > maxQR[level] {
			level = "L"
		}
	}
	recovery, ok := qrLevels[level]
	if !ok {
		return nil, fmt.Errorf("unknown error correction %q; accepted: L, M, Q, H", level)
	}
	if n := len(text); n > maxQR[level] {
		return nil, fmt.Errorf("the text has %d bytes; a QR code with error correction %s holds %d", n, level, maxQR[level])
	}
	code, err := qrcode.New(text, recovery)
	if err != nil {
		return nil, fmt.Errorf("the text cannot be encoded: %w", err)
	}
	code.DisableBorder = true
	return code.Bitmap(), nil
}
