package text

import "testing"

// TestSheetCodes: the codes print what the formats do; LibreOffice was asked.
func TestSheetCodes(t *testing.T) {
	for _, test := range []struct {
		locale, format string
		decimals       int
		want           string
		exact          bool
	}{
		{"en-US", "n", 0, `#,##0;"−"#,##0`, true},
		{"en-US", "n", 2, `#,##0.00;"−"#,##0.00`, true},
		{"en-US", "n;2", 0, `#,##0.00;"−"#,##0.00`, true},
		{"en-US", "n;2;4", 9, `#,##0.00##;"−"#,##0.00##`, true},
		{"en-US", "n;0;3", 1, `#,##0.0;"−"#,##0.0`, true},
		{"en-US", "n;0;0;+", 0, `\+#,##0;"−"#,##0;#,##0`, true},
		{"en-US", "n;0;0;a", 0, `#,##0;(#,##0)`, true},
		{"en-US", "n;0;0;c", 0, `#,##0;"−"#,##0`, false}, // 105K
		{"en-US", "p", 4, `#,##0.00%;"−"#,##0.00%`, true},
		{"en-US", "p;0", 4, `#,##0%;"−"#,##0%`, true},
		{"en-US", "ps;1", 1, `#,##0.0\%;"−"#,##0.0\%`, true},
		{"de-DE", "p;1", 3, "#,##0.0\"\u00a0\"%;\"−\"#,##0.0\"\u00a0\"%", true},
		{"en-US", "c;USD", 2, `[$$]#,##0.00;"−"[$$]#,##0.00`, true},
		{"en-US", "c;USD;2;2;a", 2, `[$$]#,##0.00;([$$]#,##0.00)`, true},
		{"en-US", "c;KWD", 3, "[$KWD]\"\u00a0\"#,##0.000;\"−\"[$KWD]\"\u00a0\"#,##0.000", true},
		{"de-DE", "c;EUR", 2, "#,##0.00\"\u00a0\"[$€];\"−\"#,##0.00\"\u00a0\"[$€]", true},
		{"ja-JP", "c;JPY", 0, `[$￥]#,##0;"−"[$￥]#,##0`, true},
		{"en-US", "f;2", 2, `0.00`, true},
		{"en-US", "zeropad;5", 0, `00000`, true},
		{"en-US", "n;0:suffix; kg", 0, `#,##0 "kg";"−"#,##0 "kg"`, true},
		{"en-US", "n;2:wrap;(;)", 2, `(#,##0.00);("−"#,##0.00)`, true},
		{"en-US", "prefix;No. ", 0, `"No"\. General;"No"\. -General`, true},
		{"en-IN", "n", 0, `#,##0;"−"#,##0`, false}, // 12,34,567
		{"es-ES", "n", 0, `#,##0;"−"#,##0`, false}, // 1234 has no sign for groups
		{"ar-EG", "n", 0, "#,##0;\"\u061c−\"#,##0", false},
		{"en-US", "d", 0, `m\/d\/yyyy`, true},
		{"de-DE", "d;yyyyMMMMd", 0, `[$-407]d\. mmmm yyyy`, true},
		{"en-US", "d;DDDDyyyyMMMd", 0, `[$-409]dddd\, mmm d\, yyyy`, true},
		{"en-US", "t", 0, `h:mm AM/PM`, true},
		{"de-DE", "t", 0, `h:mm`, true},
		{"de-DE", "dt;yyyyMMddHHmmss", 0, `dd\.mm\.yyyy\, hh:mm:ss`, true},
		{"fa-IR", "d", 0, `yyyy\/m\/d`, false}, // another calendar
		{"th-TH", "d", 0, `d\/m\/yyyy`, false},
	} {
		got, ok := ParseFormat(test.format).SheetCode(&Env{Locale: LocaleFor(test.locale)}, test.decimals)
		if !ok || got.Code != test.want || got.Exact != test.exact {
			t.Errorf("%s %s: %q, exact %v, %v; want %q, %v", test.locale, test.format, got.Code, got.Exact, ok, test.want, test.exact)
		}
	}
	for _, format := range []string{"", "uppercase", "quarter", "yearperiod;1", "ellipsis;7", "percentnosign", "daybefore", "leftpad;5;.", "t;HHmmt", "n:n", "n:uppercase", "zeropad;5:n"} {
		if got, ok := ParseFormat(format).SheetCode(&Env{Locale: LocaleFor("en-US")}, 0); ok {
			t.Errorf("%q has the code %q", format, got.Code)
		}
	}
}
