package pdf

import (
	"strings"
	"testing"
)

func TestPagesAreLabelledWithTheirNumbers(t *testing.T) {
	for name, tt := range map[string]struct {
		labels []int
		want   string
	}{
		"all count":        {[]int{1, 2, 3}, "<</Nums[0<</S/D/St 1>>]>>"},
		"a cover":          {[]int{0, 1, 2}, "<</Nums[0<<>>1<</S/D/St 1>>]>>"},
		"none in between":  {[]int{1, 0, 0, 2, 3}, "<</Nums[0<</S/D/St 1>>1<<>>3<</S/D/St 2>>]>>"},
		"new numbers":      {[]int{1, 2, 1, 2}, "<</Nums[0<</S/D/St 1>>2<</S/D/St 1>>]>>"},
		"more than pages":  {[]int{7, 8, 9, 10, 11, 12}, "<</Nums[0<</S/D/St 7>>]>>"},
		"nothing is known": {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := &merger{o: Options{Labels: tt.labels}, pages: make([]pageInfo, 5)}
			got := ""
			if d := m.pageLabels(); d != nil {
				got = strings.NewReplacer(" <<", "<<", ">> ", ">>").Replace(string((&appender{}).value(nil, d)))
			}
			if got != tt.want {
				t.Errorf("labels are %s, want %s", got, tt.want)
			}
		})
	}
}
