package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/quire-reports/quire/report/text/internal/cldr"
)

// globals are the data that belong to regions, currencies and zones.
func (s *source) globals() (map[string]string, error) {
	out := map[string]string{}
	for _, read := range []func(map[string]string) error{s.money, s.hours, s.zones} {
		if err := read(out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// list writes entries as name, Sub, value.
func list(entries map[string]string) string {
	var items []string
	for _, k := range slices.Sorted(maps.Keys(entries)) {
		items = append(items, k+cldr.Sub+entries[k])
	}
	return strings.Join(items, cldr.Sep)
}

func (s *source) money(out map[string]string) error {
	doc, err := s.read("cldr-core", "supplemental", "currencyData.json")
	if err != nil {
		return err
	}
	data := doc.at("supplemental", "currencyData")
	digits := map[string]string{}
	for code := range data.at("fractions") {
		digits[code] = data.at("fractions", code).str("_digits")
	}
	regions := map[string]string{}
	for region, v := range data.at("region") {
		if code := tender(v.([]any)); code != "" {
			regions[region] = code
		}
	}
	out["digits"], out["currency"] = list(digits), list(regions)
	return nil
}

// tender is the currency in use: the first one without an end.
func tender(list []any) string {
	for _, item := range list {
		entry := node(item.(map[string]any))
		for code := range entry {
			c := entry.at(code)
			if c.str("_to") == "" && c.str("_tender") != "false" {
				return code
			}
		}
	}
	return ""
}

// hours says for regions, and languages in regions, whether a day has twelve
// hours twice.
func (s *source) hours(out map[string]string) error {
	doc, err := s.read("cldr-core", "supplemental", "timeData.json")
	if err != nil {
		return err
	}
	data := doc.at("supplemental", "timeData")
	hours := map[string]string{}
	for region := range data {
		preferred := data.at(region).str("_preferred")
		hours[strings.ReplaceAll(region, "_", "-")] = preferred[:1]
	}
	out["hours"] = list(hours)
	return nil
}

// zones maps time zones to the metazone they belong to now.
func (s *source) zones(out map[string]string) error {
	doc, err := s.read("cldr-core", "supplemental", "metaZones.json")
	if err != nil {
		return err
	}
	zones := map[string]string{}
	collectZones("", doc.at("supplemental", "metaZones", "metazoneInfo", "timezone"), zones)
	out["zones"] = list(zones)
	return nil
}

func collectZones(prefix string, n node, zones map[string]string) {
	for name, v := range n {
		switch v := v.(type) {
		case map[string]any:
			collectZones(prefix+name+"/", v, zones)
		case []any:
			last := node(v[len(v)-1].(map[string]any)).at("usesMetazone")
			if last.str("_to") == "" {
				zones[prefix+name] = last.str("_mzone")
			}
		}
	}
}
