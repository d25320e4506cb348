package htmlgen

import "strings"

var image = define("img", "Image", "Media", "A picture. Without a size it has its own, at 96 pixels to the inch, and at most that of its place.", compileImage, icon("image"))

type imageProps struct {
	ImageURL   string `json:"imageUrl" label:"Picture" editor:"template" names:"file" means:"picture" help:"Name of a managed file, https: address or data: URI; a text template." ask:"A file of the workspace, or a web address."`
	AltText    string `json:"altText" label:"Alt text" editor:"template" help:"Description for people who do not see the picture." ask:"What people are told who do not see the picture."`
	Decorative bool   `json:"decorative" help:"The picture says nothing; readers skip it and the alt text is not used." ask:"The picture says nothing, so that screen readers leave it out."`
	ObjectFit  string `json:"objectFit" label:"Object fit" enum:"fill,cover,contain,scale-down" default:"contain"`
	Position   string `json:"objectPosition" label:"Object position" help:"Where the picture stands in its box, for example left top."`
	Box
}

func compileImage(c *Context, e *Element, p *imageProps) {
	ref := strings.TrimSpace(c.Expand(p.ImageURL))
	url, reason := c.imageURL(e, ref, c.space(p))
	if url == "" {
		c.missingImage(e, p, ref, reason)
		return
	}
	c.Open(e, tag{name: "figure", classes: p.natural(), box: &p.Box})
	c.Raw("><img")
	c.Attr("src", url)
	if p.Decorative {
		c.Raw(` alt="" aria-hidden="true"`)
	} else {
		c.Attr("alt", firstOf(strings.TrimSpace(c.Expand(p.AltText)), "Image"))
	}
	var s style
	s.add("object-fit", p.ObjectFit)
	s.add("object-position", cssValue(p.Position))
	c.Attr("style", s.String())
	c.Raw("></figure>\n")
}

// natural is the class of a picture that nobody gave a size: it takes its own,
// and never more than its place.
func (p *imageProps) natural() string {
	if p.sized() != "" || p.Grow || p.Class != "" {
		return ""
	}
	return "q-natural"
}

// space is how large a picture is drawn at most. Styles may change that, and
// shares of a room that is only estimated are not known: then it is the sheet's.
func (c *Context) space(p *imageProps) Space {
	space := Space{Width: c.sheetWidth, Cover: p.ObjectFit == "cover" || p.ObjectFit == "fill"}
	if p.Style != "" || p.Class != "" {
		return Space{Width: c.sheetWidth, Cover: true}
	}
	if v, ok := pixels(p.Width, 0, c.em()); ok && v > 0 && !p.Grow {
		space.Width = v
	}
	if v, ok := pixels(p.Height, 0, c.em()); ok && v > 0 {
		space.Height = v
	}
	return space
}

// imageURL is the address of a picture inside the document, or why there is
// none.
func (c *Context) imageURL(e *Element, ref string, space Space) (url, reason string) {
	switch {
	case ref == "":
		return "", "the image has no address"
	case c.in.Images == nil:
		return "", "images cannot be loaded here"
	}
	url, err := c.in.Images.Image(c.ctx, ref, space)
	if err != nil {
		return "", err.Error()
	}
	if picky, ok := c.in.Images.(Lettered); ok {
		for _, told := range picky.Letters(ref) {
			c.Warn(e, "%s", told)
		}
	}
	return url, ""
}

// missingImage prints a quiet box where the picture should be, of the same
// size, and warns.
func (c *Context) missingImage(e *Element, p *imageProps, ref, reason string) {
	c.Warn(e, "%s", reason)
	c.Open(e, tag{name: "div", classes: "q-missing", box: &p.Box})
	c.Raw(">")
	c.Text(firstOf(strings.TrimSpace(c.Expand(p.AltText)), clip(shortRef(ref), 40), "Image"))
	c.Raw("</div>\n")
}

// shortRef is the last part of an address, for people.
func shortRef(ref string) string {
	if strings.HasPrefix(ref, "data:") {
		return ""
	}
	return ref[strings.LastIndex(ref, "/")+1:]
}
