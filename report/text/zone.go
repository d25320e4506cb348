package text

import (
	"strings"
	"time"
	_ "time/tzdata" // the zones are part of the binary, not of the machine

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text/internal/cldr"
)

// LoadZone is the time zone of an IANA name such as "Europe/Berlin". The names
// that mean the zone of the machine are refused like unknown ones.
func LoadZone(name string) (*time.Location, error) {
	if name == "" || strings.EqualFold(name, "local") {
		return nil, report.Problemf("timezone", "%q is no time zone; an IANA name such as Europe/Berlin is expected", name)
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, report.Problemf("timezone", "%q is no time zone; an IANA name such as Europe/Berlin is expected", clip([]byte(name)))
	}
	return zone, nil
}

// appendZone writes the name of the zone: the language's own when it has one,
// and the distance from Greenwich otherwise.
func (l *Locale) appendZone(dst []byte, d *dateData, t time.Time, width int) []byte {
	names := d.zones
	if width == 4 {
		names = d.longZones()
	}
	if s := zoneName(names, t.Location().String(), t.IsDST()); s != "" {
		return append(dst, s...)
	}
	_, offset := t.Zone()
	return l.appendOffset(dst, d, offset, width)
}

// zoneName looks for a name of the zone itself, then of the larger zone that
// it belongs to.
func zoneName(names map[string]string, zone string, daylight bool) string {
	if zone == "UTC" {
		zone = "Etc/UTC"
	}
	for _, key := range [2]string{zone, global("zones", zone)} {
		standard, summer, _ := strings.Cut(names[key], cldr.Sub)
		switch {
		case daylight && summer != "":
			return summer
		case !daylight && standard != "":
			return standard
		}
	}
	return ""
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
	if wide {
		hourWidth = 2
	}
	dst = l.appendInt(dst, minutes/60, hourWidth)
	if minutes%60 == 0 && !wide {
		return dst
	}
	dst = append(dst, separator...)
	return l.appendInt(dst, minutes%60, 2)
}
