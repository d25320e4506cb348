package data

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/quire-reports/quire/report"
)

// mongoReader reads documents as values of a data set, within limits.
type mongoReader struct {
	maxRows  int
	maxBytes int64

	rows  int
	bytes int64
	spend func(bytes int64) error
	shape *report.Shape // of the last row; rows of a collection are mostly alike
}

// row reads one document.
func (r *mongoReader) row(doc bson.Raw) (any, error) {
	if err := r.count(len(doc)); err != nil {
		return nil, err
	}
	return r.object(doc)
}

func (r *mongoReader) count(size int) error {
	if r.rows++; r.rows > r.maxRows {
		return &report.Problem{Kind: report.TooLarge, Path: "settings.function", Message: fmt.Sprintf("the command gives more than %d rows; limit it, or raise the setting Limits__Rows", r.maxRows)}
	}
	if r.bytes += int64(size); r.bytes > r.maxBytes {
		return &report.Problem{Kind: report.TooLarge, Path: "settings.function", Message: fmt.Sprintf("the command gives more than %d MB; read fewer documents or fields", r.maxBytes>>20)}
	}
	return r.spend(bsonFactor * int64(size))
}

// bsonFactor is how many times as large as it is sent a document is in memory.
const bsonFactor = 3

// list reads the values of distinct.
func (r *mongoReader) list(values bson.RawArray) ([]any, error) {
	items, err := values.Values()
	if err != nil {
		return nil, err
	}
	list := make([]any, len(items))
	for i, item := range items {
		if err := r.count(len(item.Value)); err != nil {
			return nil, err
		}
		if list[i], err = r.value(item); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (r *mongoReader) object(doc bson.Raw) (*report.Object, error) {
	elements, err := doc.Elements()
	if err != nil {
		return nil, err
	}
	names, values := make([]string, len(elements)), make([]any, len(elements))
	for i, e := range elements {
		names[i] = e.Key()
		if values[i], err = r.value(e.Value()); err != nil {
			return nil, err
		}
	}
	if r.shape == nil || !sameNames(r.shape.Names(), names) {
		r.shape = report.NewShape(names...)
	}
	return report.NewObject(r.shape, values), nil
}

func sameNames(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// value reads one value: object ids as their hexadecimal digits, decimals as
// they are written, dates as instants.
func (r *mongoReader) value(v bson.RawValue) (any, error) {
	switch v.Type {
	case bson.TypeNull, bson.TypeUndefined, bson.TypeMinKey, bson.TypeMaxKey:
		return nil, nil
	case bson.TypeString:
		return v.StringValue(), nil
	case bson.TypeSymbol:
		return v.Symbol(), nil
	case bson.TypeJavaScript:
		return v.JavaScript(), nil
	case bson.TypeBoolean:
		return v.Boolean(), nil
	case bson.TypeInt32:
		return int64(v.Int32()), nil
	case bson.TypeInt64:
		return v.Int64(), nil
	case bson.TypeDouble:
		return finite(v.Double()), nil
	case bson.TypeDecimal128:
		return decimal128(v.Decimal128()), nil
	case bson.TypeDateTime:
		return time.UnixMilli(v.DateTime()).UTC(), nil
	case bson.TypeTimestamp:
		seconds, _ := v.Timestamp()
		return time.Unix(int64(seconds), 0).UTC(), nil
	case bson.TypeObjectID:
		return v.ObjectID().Hex(), nil
	case bson.TypeBinary:
		return binary(v.Binary()), nil
	case bson.TypeRegex:
		pattern, options := v.Regex()
		return "/" + pattern + "/" + options, nil
	case bson.TypeEmbeddedDocument:
		return r.object(v.Document())
	case bson.TypeArray:
		return r.array(v.Array())
	}
	return nil, fmt.Errorf("a document holds a value of type %s, which no report can print", v.Type)
}

func (r *mongoReader) array(values bson.RawArray) (any, error) {
	items, err := values.Values()
	if err != nil {
		return nil, err
	}
	list := make([]any, len(items))
	for i, item := range items {
		if list[i], err = r.value(item); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// decimal128 is a decimal in plain notation, as far as that is readable.
func decimal128(d bson.Decimal128) any {
	if d.IsNaN() || d.IsInf() != 0 {
		return nil
	}
	coefficient, exponent, err := d.BigInt()
	if err != nil {
		return nil
	}
	if exponent > 0 || exponent < -40 {
		return json.Number(strings.ToLower(d.String()))
	}
	digits, sign := coefficient.String(), ""
	if strings.HasPrefix(digits, "-") {
		digits, sign = digits[1:], "-"
	}
	places := -exponent
	if len(digits) <= places {
		digits = strings.Repeat("0", places-len(digits)+1) + digits
	}
	if places == 0 {
		return json.Number(sign + digits)
	}
	return json.Number(sign + digits[:len(digits)-places] + "." + digits[len(digits)-places:])
}

// binary is a UUID in its usual form, everything else as base64.
func binary(subtype byte, data []byte) any {
	if subtype == bson.TypeBinaryUUID && len(data) == 16 {
		h := hex.EncodeToString(data)
		return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
	}
	return base64.StdEncoding.EncodeToString(data)
}
