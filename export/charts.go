package export

import (
	"context"
	_ "embed"
	"fmt"
	"sync"

	"github.com/quire-reports/quire/assets"
	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/scripting"
)

// finishChart draws the option object that an author's function returned.
//
//go:embed echarts.js
var finishChart string

// noTimers stands for what the library wants for its animations, of which a
// drawing has none.
const noTimers = "var setTimeout = function () { return 0 }, clearTimeout = function () {};"

// chartLibrary is what the functions of advanced charts run with. Unpacked once,
// when the first chart is drawn.
var chartLibrary = sync.OnceValue(func() *scripting.Library {
	return &scripting.Library{Source: noTimers + assets.ECharts(), Finish: finishChart}
})

// Chart draws an advanced chart.
func (s *scripts) Chart(ctx context.Context, call *htmlgen.ChartCall) (string, error) {
	r := s.run
	colors := report.ObjectOf()
	for name, value := range call.Colors {
		colors.Set(name, value)
	}
	result, err := s.engine.Call(ctx, &scripting.Call{
		Path: call.Path, Source: call.Source, Library: chartLibrary(),
		Args: []scripting.Arg{
			{Name: "$data", Value: call.Data},
			{Name: "$params", Value: call.Params},
			{Name: "$dict", Value: call.Dict},
			{Name: "$user", Value: r.req.User.Value()},
			{Name: "$it", Value: call.Items},
			{Name: "$record", Value: call.Record},
			{Name: "$chart", Value: report.ObjectOf("width", call.Width, "height", call.Height, "theme", call.Theme, "colors", colors)},
		},
		Zone: r.found.zone, Now: r.now, Locale: r.locale.Tag(),
	})
	if err != nil {
		return "", err
	}
	svg, ok := result.Values[0].(string)
	if !ok {
		return "", fmt.Errorf("the chart gave %T in place of a drawing", result.Values[0])
	}
	return svg, nil
}
