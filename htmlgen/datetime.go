package htmlgen

import "github.com/quire-reports/quire/report/text"

var dateTime = define("date-time", "Date and time", "Text", "The time at which the report was made.", compileDateTime, icon("calendar-clock"))

type dateTimeProps struct {
	DateFormat string `json:"dateFormat" label:"Date format" editor:"format" default:"dt" help:"A date format such as d, dt or dt;dd MMMM yyyy HH:mm."`
	TextAlign  string `json:"textAlign" label:"Text align" enum:",left,center,right"`
	Font
	Box
}

func compileDateTime(c *Context, e *Element, p *dateTimeProps) {
	c.Open(e, tag{name: "div", font: &p.Font, box: &p.Box, extra: func(s *style) { s.add("text-align", p.TextAlign) }})
	c.Raw(">")
	c.buf = text.ParseFormat(p.DateFormat).Append(c.buf, c.Env.Now, c.Env, text.EscapeText)
	c.Raw("</div>\n")
}
