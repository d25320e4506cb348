package text

import "testing"

func TestWordsForTotals(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]string{"de-AT": {"Gesamt", "Anzahl"}, "zh-TW": {"合計", "數量"}, "he": {"סה״כ", "מספר"}, "lt": {"Iš viso", "Count"}, "tlh": {"Total", "Count"}} {
		l := LocaleFor(name)
		if l.Total() != want[0] || l.Count() != want[1] {
			t.Errorf("%s: %s, %s", name, l.Total(), l.Count())
		}
	}
}
