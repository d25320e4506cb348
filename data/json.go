package data

import (
	"context"
	"strings"

	"github.com/quire-reports/quire/report"
)

var jsonSource = define("json", "JSON", "Content that is pasted in.", loadJSON)

type jsonSettings struct {
	Content any `json:"content" label:"Content" editor:"code" required:"true" help:"JSON text, or the value itself."`
}

func loadJSON(_ context.Context, env *Env, s jsonSettings) (any, error) {
	content, ok := s.Content.(string)
	if !ok {
		return s.Content, nil // the value itself
	}
	if strings.TrimSpace(content) == "" {
		return nil, nil
	}
	return env.loader.parsed.get(cacheKey{kind: "json", content: content}, func() (any, error) {
		value, err := report.ParseValue([]byte(strings.TrimPrefix(content, "\ufeff")))
		if err != nil {
			return nil, underContent(err)
		}
		return value, nil
	})
}

// underContent puts the place of a fault below the setting that holds the
// content.
func underContent(err error) error {
	if p, ok := err.(*report.Problem); ok {
		own := *p
		own.Path = report.JoinPath("settings.content", p.Path)
		return &own
	}
	return err
}
