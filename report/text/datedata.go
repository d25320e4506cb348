package text

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/quire-reports/quire/report/text/internal/cldr"
	"golang.org/x/text/language"
)

// dateData is how a locale writes dates.
type dateData struct {
	calendar   calendar
	hour       byte        // the letter of the usual hour: H or h
	half       byte        // the letter of an hour of twelve: h or K
	months     [6][]string // wide, abbreviated, narrow; then standing alone
	days       [6][]string
	dayPeriods []string
	quarters   []string    // names of the four
	inQuarter  datePattern // a quarter, Q, with its year
	known      []known
	glue       []string // full, long, medium, short
	add        [fieldCount]addition
	zones      map[string]string
	longZones  func() map[string]string // read when first asked for
	gmt        []string                 // format, zero, hour format
}

// addition is how a field is added to a pattern that misses it.
type addition struct{ pattern, name string }

func readDates(l *Locale, tag language.Tag) *dateData {
	f := fieldsOf(locales(), l.name)
	d := &dateData{calendar: calendarOf(tag, l.region)}
	d.hour, d.half = usualHours(tag)
	for i := range 6 {
		d.months[i] = f.items(cldr.MonthsWide+cldr.Field(i), 12)
		d.days[i] = f.items(cldr.DaysWide+cldr.Field(i), 7)
	}
	d.dayPeriods = f.items(cldr.DayPeriods, 2)
	quarters := f.items(cldr.Quarters, 5)
	d.quarters, d.inQuarter = quarters[:4], l.setYears(parseDatePattern(quarters[4]), d.calendar)
	d.glue = f.items(cldr.Glue, 4)
	d.readKnown(f)
	d.readAdditions(f.items(cldr.Append, 12))
	d.zones = f.list(cldr.ZoneNames)
	d.longZones = sync.OnceValue(func() map[string]string {
		return fieldsOf(longZones(), l.name).list(cldr.LongZoneNames)
	})
	d.gmt = f.items(cldr.GMT, 3)
	return d
}

// usualHours is how the region counts hours: H for 24, h for twice twelve; and
// how it writes twelve o'clock when asked for halves: Japan has 0.
func usualHours(tag language.Tag) (hour, half byte) {
	base, _ := tag.Base()
	region, _ := tag.Region()
	preferred := global("hours", base.String()+"-"+region.String())
	if preferred == "" {
		preferred = global("hours", region.String())
	}
	if preferred == "" {
		preferred = global("hours", "001")
	}
	half = 'h'
	if region.String() == "JP" {
		half = 'K'
	}
	switch tag.TypeForKey("hc") {
	case "h11", "h12":
		return half, half
	case "h23", "h24":
		return 'H', half
	}
	if preferred[0] == 'H' || preferred[0] == 'k' {
		return 'H', half
	}
	return half, half
}

// readKnown collects the patterns: single fields, the language's styles, and
// the declared ones, which replace a style of the same skeleton. Of styles that
// differ only in the digits of numbers the first is kept.
func (d *dateData) readKnown(f fields) {
	for _, single := range []string{"G", "y", "M", "E", "d", "a", "H", "m", "s", "v"} {
		d.learn(parseSkeleton(single), single, false)
	}
	for _, field := range []cldr.Field{cldr.DateStyles, cldr.TimeStyles} {
		for _, pattern := range f.items(field, 4) {
			d.learn(parseSkeleton(pattern), pattern, false)
		}
	}
	available := f.list(cldr.Available)
	for _, s := range slices.Sorted(maps.Keys(available)) {
		d.learn(parseSkeleton(s), available[s], true)
	}
	slices.SortStableFunc(d.known, func(a, b known) int { return int(a.first()) - int(b.first()) })
}

// first is the letter by which the patterns are ordered, so that of equally
// close ones the same is taken as in ICU.
func (k *known) first() byte {
	for f := range fieldCount {
		if k.skeleton[f].width > 0 {
			return k.skeleton[f].letter
		}
	}
	return 0
}

func (d *dateData) learn(k skeleton, pattern string, declared bool) {
	entry := known{k, parseDatePattern(pattern), declared}
	for i := range d.known {
		old := &d.known[i]
		switch {
		case declared && old.skeleton == k:
			*old = entry
			return
		case !declared && old.skeleton.base() == k.base():
			return
		}
	}
	d.known = append(d.known, entry)
}

// readAdditions reads how fields are added: CLDR's order is era, year, quarter,
// month, week, week of month, weekday, day, hour, minute, second, zone.
func (d *dateData) readAdditions(items []string) {
	for f, i := range [fieldCount]int{0, 1, 3, 6, 7, -1, 8, 9, 10, 11} {
		d.add[f].pattern = "{0} {1}"
		if i < 0 || items[i] == "" {
			continue
		}
		d.add[f].pattern, d.add[f].name, _ = strings.Cut(items[i], cldr.Sub)
	}
}

// patternCache keeps the patterns of the skeletons that were asked for.
type patternCache struct {
	sync.RWMutex
	patterns map[skeleton]datePattern
}

// maxPatterns bounds the cache of a locale.
const maxPatterns = 500

// pattern is the pattern for a skeleton, remembered.
func (l *Locale) pattern(k skeleton) datePattern {
	l.dated.RLock()
	p := l.dated.patterns[k]
	l.dated.RUnlock()
	if p != nil {
		return p
	}
	d := l.dates()
	p = l.setYears(d.patternFor(&k), d.calendar)
	p.setHours(k[fieldHour].letter)
	l.dated.Lock()
	defer l.dated.Unlock()
	if l.dated.patterns == nil || len(l.dated.patterns) >= maxPatterns {
		l.dated.patterns = map[skeleton]datePattern{}
	}
	l.dated.patterns[k] = p
	return p
}

// setHours makes the hours count as they were asked for.
func (p datePattern) setHours(letter byte) {
	for i := range p {
		if letter != 0 && p[i].letter != 0 && fieldOf(p[i].letter) == fieldHour {
			p[i].letter = letter
		}
	}
}
