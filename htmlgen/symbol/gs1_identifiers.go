package symbol

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// gs1Values are the application identifiers by what they hold, as the GS1 General
// Specifications list them (section 3.2; as of the syntax dictionary of July 2026).
// A value is parts one after the other: a kind of character (N digits, X, Y and
// Z the sets of 82, 39 and 64), the length or, after "..", the most, "c" where
// the last digit is a check digit, "d" where it is a date YYMMDD. Parts in
// brackets may be left out.
var gs1Values = []struct{ value, identifiers string }{
	{"N18c", "00 8017-8018"},
	{"N14c", "01-03"},
	{"X..20", "10 21-22 243 254 420 4318 7020-7022 710-717 7240 8002 8012"},
	{"N6d", "11-13 15-17 4326 7006"},
	{"N2", "20 7241"},
	{"X..28", "235"},
	{"X..30", "240-241 250-251 400-401 403 4308 4319 7002 7023 8004 90"},
	{"N..6", "242"},
	{"N13c [X..17]", "253"},
	{"N13c [N..12]", "255"},
	{"N..8", "30 37"},
	{"N6", "3100-3105 3110-3115 3120-3125 3130-3135 3140-3145 3150-3155 3160-3165 3200-3205 3210-3215 3220-3225 3230-3235 3240-3245 3250-3255 3260-3265 3270-3275 3280-3285 3290-3295 3300-3305 3310-3315 3320-3325 3330-3335 3340-3345 3350-3355 3360-3365 3370-3375 3400-3405 3410-3415 3420-3425 3430-3435 3440-3445 3450-3455 3460-3465 3470-3475 3480-3485 3490-3495 3500-3505 3510-3515 3520-3525 3530-3535 3540-3545 3550-3555 3560-3565 3570-3575 3600-3605 3610-3615 3620-3625 3630-3635 3640-3645 3650-3655 3660-3665 3670-3675 3680-3685 3690-3695 3950-3955 8005"},
	{"N..15", "3900-3909 3920-3929"},
	{"N3 N..15", "3910-3919 3930-3939"},
	{"N4", "3940-3943 8111"},
	{"N17c", "402"},
	{"N13c", "410-417"},
	{"N3 X..9", "421"},
	{"N3", "422 424 426"},
	{"N3 [N3] [N3] [N3] [N3]", "423 425"},
	{"X..3", "427 7008"},
	{"X..35", "4300-4301 4310-4311 4320"},
	{"X..70", "4302-4306 4312-4316 7257 8110 8112 8200"},
	{"X2", "4307 4317"},
	{"N10 N10", "4309"},
	{"N1", "4321-4323 7252"},
	{"N6d N4", "4324-4325 7003"},
	{"N6 [X1]", "4330-4333"},
	{"N13", "7001"},
	{"N..4", "7004"},
	{"X..12", "7005"},
	{"N6d [N6]d", "7007"},
	{"X..10", "7009 7255"},
	{"X..2", "7010"},
	{"N6d [N4]", "7011"},
	{"N3 X..27", "7030-7039"},
	{"N1 X1 X1 X1", "7040"},
	{"X..4", "7041"},
	{"X2 X..28", "7230-7239"},
	{"X..25", "7242 8013-8014 8020"},
	{"N8", "7250"},
	{"N8 N4", "7251"},
	{"X..40", "7253-7254 7259"},
	{"X..90", "7256 91-99"},
	{"X3", "7258"},
	{"N4 N5 N3 N1 N1", "8001"},
	{"N1 N13c [X..16]", "8003"},
	{"N14c N4", "8006 8026"},
	{"X..34", "8007"},
	{"N6d N2 [N2] [N2]", "8008"},
	{"X..50", "8009"},
	{"Y..30", "8010"},
	{"N..12", "8011"},
	{"N..10", "8019"},
	{"Z..90", "8030"},
	{"N15", "8040-8041"},
	{"N32", "8042"},
	{"N18 [N..2]", "8043"},
}

// gs1Part is a part of a value.
type gs1Part struct {
	kind             byte
	length           int
	upTo, optional   bool
	checkDigit, date bool
}

// gs1Known is what each identifier holds.
var gs1Known = sync.OnceValue(func() map[string][]gs1Part {
	known := map[string][]gs1Part{}
	for _, v := range gs1Values {
		var parts []gs1Part
		for part := range strings.FieldsSeq(v.value) {
			parts = append(parts, gs1PartOf(part))
		}
		for ids := range strings.FieldsSeq(v.identifiers) {
			from, to, ranged := strings.Cut(ids, "-")
			if !ranged {
				to = from
			}
			first, _ := strconv.Atoi(from)
			last, _ := strconv.Atoi(to)
			for id := first; id <= last; id++ {
				known[fmt.Sprintf("%0*d", len(from), id)] = parts
			}
		}
	}
	return known
})

func gs1PartOf(text string) gs1Part {
	var p gs1Part
	p.optional = strings.HasPrefix(text, "[")
	text = strings.NewReplacer("[", "", "]", "").Replace(text)
	p.kind, text = text[0], text[1:]
	text, p.checkDigit = strings.CutSuffix(text, "c")
	text, p.date = strings.CutSuffix(text, "d")
	text, p.upTo = strings.CutPrefix(text, "..")
	p.length, _ = strconv.Atoi(text)
	return p
}

// checkElement checks a value against what its identifier holds.
func checkElement(identifier, value string) error {
	parts, known := gs1Known()[identifier]
	if !known {
		return fmt.Errorf("(%s) is no application identifier of GS1; (91) to (99) are for values of your own", identifier)
	}
	rest := value
	for _, p := range parts {
		if rest == "" && p.optional {
			break
		}
		if len(rest) < p.least() {
			return fmt.Errorf("(%s) has a value of %s, not %d", identifier, gs1Length(parts), len(value))
		}
		part := rest[:min(len(rest), p.length)]
		if err := p.check(part); err != nil {
			return fmt.Errorf("(%s): %w", identifier, err)
		}
		rest = rest[len(part):]
	}
	if rest != "" {
		return fmt.Errorf("(%s) has a value of %s, not %d", identifier, gs1Length(parts), len(value))
	}
	return nil
}

func (p *gs1Part) least() int {
	if p.upTo {
		return 1
	}
	return p.length
}

// gs1Length says how long a value is.
func gs1Length(parts []gs1Part) string {
	least, most := 0, 0
	for i := range parts {
		most += parts[i].length
		if !parts[i].optional {
			least += parts[i].least()
		}
	}
	if least == most {
		return fmt.Sprintf("%d characters", most)
	}
	return fmt.Sprintf("%d to %d characters", least, most)
}

const alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// gs1Characters are the characters of each kind of value; parentheses belong to
// the sets, but here they enclose identifiers.
var gs1Characters = map[byte]string{
	'N': alphanumeric[:10],
	'X': alphanumeric + "abcdefghijklmnopqrstuvwxyz!\"%&'()*+,-./:;<=>?_",
	'Y': alphanumeric + "#-/",
	'Z': alphanumeric + "abcdefghijklmnopqrstuvwxyz-_=",
}

func (p *gs1Part) check(part string) error {
	for _, r := range part {
		if !strings.ContainsRune(gs1Characters[p.kind], r) {
			if p.kind == 'N' {
				return fmt.Errorf("%q is no digit", r)
			}
			return fmt.Errorf("it cannot hold %q", r)
		}
	}
	switch last := len(part) - 1; {
	case p.checkDigit && checkDigit(part[:last]) != part[last]:
		return fmt.Errorf("the check digit of %s is %c, not %c", part, checkDigit(part[:last]), part[last])
	case p.date && !gs1Date(part):
		return fmt.Errorf("%s is no date of the form YYMMDD", part)
	}
	return nil
}

// gs1Date reports whether digits are a date; a day 00 stands for the whole month.
func gs1Date(digits string) bool {
	year, _ := strconv.Atoi(digits[:2])
	month, _ := strconv.Atoi(digits[2:4])
	day, _ := strconv.Atoi(digits[4:])
	if month < 1 || month > 12 {
		return false
	}
	return day <= time.Date(2000+year, time.Month(month+1), 0, 0, 0, 0, 0, time.UTC).Day()
}
