package layout

// Style is how a node looks, as it is drawn: lengths of what is scaled are those after
// it, colours those that opacity leaves. Everything is said, nothing inherited; what is
// as a browser has it by itself is left out.
type Style struct {
	// Name says what the style is of, such as h2, paragraph or figure-caption: the class
	// of the component, or the element.
	Name string `json:"name,omitempty"`

	// Of text.
	Font       string  `json:"font,omitempty"`    // the family that is printed
	Natural    float64 `json:"natural,omitempty"` // how high a line of the font is by itself, in sizes
	Size       float64 `json:"size,omitempty"`
	Weight     int     `json:"weight,omitempty"` // 0 is 400
	Italic     bool    `json:"italic,omitempty"`
	Color      string  `json:"color,omitempty"`
	Underline  bool    `json:"underline,omitempty"`
	Strike     bool    `json:"strike,omitempty"`
	Spacing    float64 `json:"spacing,omitempty"`   // between letters
	Transform  string  `json:"transform,omitempty"` // uppercase, lowercase, capitalize; the text is not transformed
	SmallCaps  bool    `json:"smallCaps,omitempty"`
	Shift      string  `json:"shift,omitempty"` // super, sub
	White      string  `json:"white,omitempty"` // pre, pre-wrap, pre-line, nowrap
	Language   string  `json:"language,omitempty"`
	RTL        bool    `json:"rtl,omitempty"`
	Align      string  `json:"align,omitempty"`      // left, right, center, justify; empty is where the line begins
	LineHeight float64 `json:"lineHeight,omitempty"` // of a line of this text; 0 is the font's own
	Indent     float64 `json:"indent,omitempty"`     // of the first line
	// Of boxes.
	Display    string  `json:"display,omitempty"` // row or column of a flex container, grid, inline-block, none
	Margin     *Sides  `json:"margin,omitempty"`
	Padding    *Sides  `json:"padding,omitempty"`
	Border     *Border `json:"border,omitempty"`
	Radius     float64 `json:"radius,omitempty"`
	Background string  `json:"background,omitempty"`
	Vertical   string  `json:"vertical,omitempty"` // of what a cell or box holds: middle, bottom, baseline; empty is top
	Gap        float64 `json:"gap,omitempty"`      // between boxes side by side
	RowGap     float64 `json:"rowGap,omitempty"`   // between those one below the other
	Height     float64 `json:"height,omitempty"`   // at least
	Opacity    float64 `json:"opacity,omitempty"`  // 0 is 1; the tab has it in the colours
}

// Border are the lines at the sides of a box, in the order of Sides.
type Border [4]Edge

// Edge is one line of a border; Width 0 is none.
type Edge struct {
	Width float64 `json:"width,omitempty"`
	Line  string  `json:"line,omitempty"` // solid, dashed, dotted, double; empty is solid
	Color string  `json:"color,omitempty"`
}
