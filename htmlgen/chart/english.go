package chart

import (
	"strconv"
	"time"
)

// plainNumber and plainMoment write labels where the caller gives no functions
// for them.
func plainNumber(v, step, _ float64) string {
	if v > 1e15 || v < -1e15 {
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
	return strconv.FormatFloat(v, 'f', Decimals(step), 64)
}

func plainMoment(t time.Time, unit Unit) (label, below string) {
	switch unit {
	case Year:
		return t.Format("2006"), ""
	case Quarter, Month:
		return t.Format("Jan"), t.Format("2006")
	case Week, Day:
		return t.Format("2 Jan"), t.Format("2006")
	case Hour, Minute:
		return t.Format("15:04"), t.Format("2 Jan 2006")
	case Second:
		return t.Format("15:04:05"), t.Format("2 Jan 2006")
	}
	return t.Format(".000"), t.Format("15:04:05")
}
