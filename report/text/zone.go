package text

import (
	"strings"
	"time"

	"github.com/quire-reports/quire/report/text/internal/cldr"
)

// appendZone writes the name of the zone: the language's abbreviation when it
// has one, and the distance from Greenwich otherwise.
func (l *Locale) appendZone(dst []byte, d *dateData, t time.Time, width int) []byte {
	name := t.Location().String()
	if name == "UTC" || name == "Etc/UTC" {
		return append(dst, "UTC"...)
	}
	if s := d.zoneName(name, t.IsDST()); s != "" {
		return append(dst, s...)
	}
	_, offset := t.Zone()
	return l.appendOffset(dst, d, offset, width)
}

func (d *dateData) zoneName(zone string, daylight bool) string {
	names := strings.Split(d.zones[global("zones", zone)], cldr.Sub)
	if daylight {
		if len(names) < 2 {
			return ""
		}
		return names[1]
	}
	return names[0]
}

// appendOffset writes GMT+1, GMT-3:30, or, when wide, GMT+01:00.
func (l *Locale) appendOffset(dst []byte, d *dateData, offset, width int) []byte {
	if offset == 0 {
		return append(dst, d.gmt[1]...)
	}
	before, after, _ := strings.Cut(d.gmt[0], "{0}")
	ahead, behind, _ := strings.Cut(d.gmt[2], ";")
	shape := ahead
	if offset < 0 {
		shape, offset = behind, -offset
	}
	dst = append(dst, before...)
	dst = l.appendClock(dst, shape, offset/60, width == 4)
	return append(dst, after...)
}

// appendClock writes hours and minutes in a shape such as "+HH:mm"; the short
// form leaves out leading zeros and no minutes.
func (l *Locale) appendClock(dst []byte, shape string, minutes int, wide bool) []byte {
	sign, rest, _ := strings.Cut(shape, "H")
	separator := strings.Trim(rest, "Hm")
	dst = append(dst, sign...)
	hourWidth := 1
	if wide && strings.HasPrefix(rest, "H") {
		hourWidth = 2
	}
	dst = l.appendInt(dst, minutes/60, hourWidth)
	if minutes%60 == 0 && !wide {
		return dst
	}
	dst = append(dst, separator...)
	return l.appendInt(dst, minutes%60, 2)
}
