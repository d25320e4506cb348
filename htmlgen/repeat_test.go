package htmlgen

import (
	"context"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// TestRepeatsKnowThePlaceOfTheirItems: $index counts from 0 in the order of
// printing; that of an item further out has its name.
func TestRepeatsKnowThePlaceOfTheirItems(t *testing.T) {
	t.Parallel()
	kinds := `{"a":[{"k":"x","tags":["p","q"]},{"k":"y","tags":["r"]}],"n":[3,1,2]}`
	cells := `"cells":[{"value":"{$index}{$it.o.k}{$record.k}"},{"repeat":{"source":"$it.o.tags","alias":"t"},"value":"{$index.o}.{$index}={$it.t}"}]`
	for source, want := range map[string]string{
		`{"type":"text","repeat":{"source":"$data.v.a"},"props":{"text":"{$index}{$it.record.k}"}}`:                                                                                                                                        "0x 1y",
		`{"type":"flow","repeat":{"source":"$data.v.a","alias":"o"},"children":[{"type":"text","repeat":{"source":"$it.o.tags","alias":"t"},"props":{"text":"{$index.o}{$index.t}{$index}{$it.t}"}}]}`:                                     "000p 011q 100r",
		`{"type":"list","props":{"source":"$data.v.a","itemTemplate":"{$index}{$it.item.k}"}}`:                                                                                                                                             "0x 1y",
		`{"type":"table","props":{"rows":[{"repeat":{"source":"$data.v.a","alias":"o"},` + cells + `}]}}`:                                                                                                                                  "0xx 0.0=p 0.1=q 1yy 1.0=r",
		`{"type":"data-table","props":{"source":"$data.v.a","hideHeader":true,"columns":[{"renderer":"text","text":"{$index}{$record.k}"},{"renderer":"html","html":"<i>{$index}</i>"},{"renderer":"value","value":"{$index} + 1"}]}}`:     "0x 0 1 1y 1 2",
		`{"type":"data-table","props":{"source":"$data.v.a","hideHeader":true,"groups":[{"field":"k"}],"columns":[{"renderer":"text","text":"{$index}{$record.k}"}]}}`:                                                                     "x 0x y 1y",
		`{"type":"data-table","repeat":{"source":"$data.v.a","alias":"o"},"props":{"source":"$it.o.tags","hideHeader":true,"columns":[{"renderer":"text","text":"{$index.o}{$index}{$record}"}]}}`:                                         "00p 01q 10r",
		`{"type":"text","repeat":{"source":"$data.v.n","transform":[{"type":"limit","count":2}]},"props":{"text":"{$index}={$it.record}"}}`:                                                                                                "0=3 1=1",
		`{"type":"text","repeat":{"source":"$data.v.a","transform":[{"type":"sort","by":[{"field":"k","descending":true}]}]},"props":{"text":"{$index}{$it.record.k}"}}`:                                                                   "0y 1x",
		`{"type":"table","props":{"rows":[{"repeat":{"source":"$data.v.a","alias":"o","transform":[{"type":"filter","conditions":[{"field":"k","operator":"equals","value":"y"}]}]},` + cells + `}]}}`:                                     "0yy 0.0=r",
		`{"type":"table","props":{"columns":[{"width":"1px"},{"repeat":{"source":"$data.v.n","transform":[{"type":"limit","count":1}]}}],"rows":[{"cells":[{"repeat":{"source":"$data.v.n","alias":"m"},"value":"{$index.m}{$it.m}"}]}]}}`: "03 11 22",
		`{"type":"data-table","props":{"source":"$data.v.a","hideHeader":true,"transform":[{"type":"compute","as":"i","expression":"{$index}"}],"columns":[{"renderer":"text","text":"{$record.i}"}]}}`:                                    "0 1",
		`{"type":"list","repeat":{"source":"$data.v.a","alias":"o"},"props":{"source":"$data.v.a","transform":[{"type":"compute","as":"i","expression":"{$index.o}"}],"itemTemplate":"{$it.item.i}{$index}"}}`:                             "00 01 10 11",
	} {
		got, warnings := printedElement(t, source, kinds)
		if got != want || len(warnings) > 0 {
			t.Errorf("%s\nprints %q, want %q %v", source, got, want, warnings)
		}
	}
	if got, warnings := printedElement(t, `{"type":"text","props":{"text":"[{$index}]"}}`, kinds); got != "[]" || len(warnings) != 1 {
		t.Errorf("outside of a repetition: %q %v", got, warnings)
	}
	if got, warnings := printedElement(t, `{"type":"text","repeat":{"source":"$data.v.a","transform":[{"type":"sort","by":[{"field":"nope"}]}]},"props":{"text":"{$it.record.k}"}}`, kinds); len(warnings) != 1 || !strings.HasPrefix(warnings[0].Error(), "pages[0].elements[0].repeat.transform[0]") {
		t.Errorf("a step that names no field: %q %v", got, warnings)
	}
	if got, warnings := printedElement(t, `{"type":"text","repeat":{"source":"$data.v.n","transform":[{"type":"limits"}]},"props":{"text":"{$it.record}"}}`, kinds); got != "3 1 2" ||
		len(warnings) != 1 || !strings.HasPrefix(warnings[0].Error(), "pages[0].elements[0].repeat.transform[0].type: ") {
		t.Errorf("a step that is none: %q %v", got, warnings)
	}
}

// printedElement is the text of an element with data in $data.v.
func printedElement(t *testing.T, source, data string) (string, report.Problems) {
	t.Helper()
	var e report.Element
	if problems := report.DecodeInto([]byte(source), &e); len(problems) > 0 {
		t.Fatal(problems)
	}
	in := testInput(t, []report.Element{e})
	v, err := report.ParseValue([]byte(data))
	if err != nil {
		t.Fatal(err)
	}
	in.Data = report.ObjectOf("v", v)
	in.Template = &report.Template{Name: "T", Layouts: []report.Layout{{}}}
	doc, err := Compile(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return printed(doc), doc.Warnings
}
