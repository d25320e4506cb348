package geo

import (
	"math"
	"slices"
	"strconv"
)

// Shape is a feature as it is drawn: paths in units of Unit pixels, and where its name
// or circle stands, in pixels.
type Shape struct {
	Area  string // filled by the rule evenodd
	Line  string
	Dots  []Point // its points, in pixels
	Place Point   // inside of its largest part, in pixels
	Wide  float64 // of that part at the place, in pixels
	Size  float64 // its area in square pixels
	Shown bool    // whether it has a place
}

// Unit is the length in pixels of a step of the paths: less than what a printer shows.
const Unit = 0.25

// mostSteps is how many positions the paths of a drawing have at most; beyond they are
// drawn by coarser steps.
const mostSteps = 60_000

// Draw draws features in a box, as large as they fit, in the middle.
func Draw(features []Feature, projection Projection, width, height float64) []Shape {
	e, any := cover(features)
	shapes := make([]Shape, len(features))
	if !any || width <= 0 || height <= 0 {
		return shapes
	}
	flat := flatten(features, planeFor(projection, e))
	fit(flat, width, height)
	step := 1.0
	for step < 64 && steps(flat, step) > mostSteps {
		step *= 2
	}
	for i := range flat {
		shapes[i] = flat[i].shape(step)
	}
	return shapes
}

// steps is about how many positions the paths of a drawing have.
func steps(flat []flatFeature, step float64) (n int) {
	var square [2]float64
	all(flat, func(p *Point) {
		if in := [2]float64{math.Floor(p.X / Unit / step), math.Floor(p.Y / Unit / step)}; in != square {
			square = in
			n++
		}
	})
	return n
}

// flatFeature is a feature in a plane.
type flatFeature struct {
	areas [][][]Point
	lines [][]Point
	dots  []Point
}

func flatten(features []Feature, p plane) []flatFeature {
	project := func(line []Point) []Point {
		for i, q := range line {
			line[i].X, line[i].Y = p.project(q.X, q.Y)
		}
		return line
	}
	flat := make([]flatFeature, len(features))
	for i := range features {
		f, to := &features[i], &flat[i]
		for _, area := range f.Areas {
			var rings [][]Point
			for _, ring := range area {
				for _, part := range ringsWithin(ring, p.middle) {
					rings = append(rings, project(bent(part, true)))
				}
			}
			to.areas = append(to.areas, rings)
		}
		for _, line := range f.Lines {
			for _, part := range linesWithin(line, p.middle) {
				to.lines = append(to.lines, project(bent(part, false)))
			}
		}
		for _, dot := range f.Points {
			to.dots = append(to.dots, dot.within(p.middle))
		}
		project(to.dots)
	}
	return flat
}

// all calls do for every position.
func all(flat []flatFeature, do func(p *Point)) {
	line := func(points []Point) {
		for i := range points {
			do(&points[i])
		}
	}
	for i := range flat {
		for _, area := range flat[i].areas {
			for _, ring := range area {
				line(ring)
			}
		}
		for _, l := range flat[i].lines {
			line(l)
		}
		line(flat[i].dots)
	}
}

// fit scales a plane into a box.
func fit(flat []flatFeature, width, height float64) {
	low, high := Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}
	all(flat, func(p *Point) {
		low = Point{min(low.X, p.X), min(low.Y, p.Y)}
		high = Point{max(high.X, p.X), max(high.Y, p.Y)}
	})
	wide, tall := high.X-low.X, high.Y-low.Y
	scale := min(width/max(wide, 1e-12), height/max(tall, 1e-12))
	if wide < 1e-9 && tall < 1e-9 { // one place
		scale = 0
	}
	left, top := (width-scale*wide)/2, (height-scale*tall)/2
	all(flat, func(p *Point) {
		p.X, p.Y = left+scale*(p.X-low.X), top+scale*(p.Y-low.Y)
	})
}

// shape draws a feature by steps of so many units. Positions are moved to the next step,
// those of neighbours alike, so that borders of two stay one.
func (f *flatFeature) shape(step float64) Shape {
	var s Shape
	var area, line pen
	var largest [][]Point
	most := -1.0
	for _, rings := range f.areas {
		if len(rings) == 0 {
			continue
		}
		size := math.Abs(areaOf(rings[0]))
		s.Size += size
		if size > most {
			largest, most = rings, size
		}
		for _, ring := range rings {
			area.ring(ring, step)
		}
	}
	if largest != nil && len(area.out) == 0 { // too small to have a shape
		area.dot(largest[0][0])
	}
	for _, l := range f.lines {
		line.open(l, step)
	}
	s.Area, s.Line, s.Dots = string(area.out), string(line.out), f.dots
	switch {
	case len(f.dots) > 0:
		s.Place, s.Shown = f.dots[0], true
	case largest != nil:
		s.Place, s.Wide = inside(largest)
		s.Shown = true
	case len(f.lines) > 0:
		l := f.lines[0]
		s.Place, s.Shown = l[len(l)/2], true
	}
	return s
}

// pen writes a path.
type pen struct{ out []byte }

func stepOf(p Point) [2]int {
	return [2]int{int(math.Round(p.X / Unit)), int(math.Round(p.Y / Unit))}
}

// stepped is a line by steps, without those that lead nowhere or straight on. A coarser
// one has one position of those that follow each other in a square of so many units.
func stepped(line []Point, step float64) [][2]int {
	var out [][2]int
	var square [2]float64
	for _, p := range line {
		q := stepOf(p)
		in := [2]float64{math.Floor(float64(q[0]) / step), math.Floor(float64(q[1]) / step)}
		n := len(out)
		if n > 0 && (out[n-1] == q || in == square) {
			continue
		}
		square = in
		if n > 1 && straight(out[n-2], out[n-1], q) {
			out = out[:n-1]
		}
		out = append(out, q)
	}
	return out
}

// straight tells whether a position lies between two others on a straight line.
func straight(a, b, c [2]int) bool {
	ux, uy, vx, vy := b[0]-a[0], b[1]-a[1], c[0]-b[0], c[1]-b[1]
	return ux*vy == uy*vx && ux*vx+uy*vy > 0
}

func (p *pen) ring(ring []Point, step float64) {
	line := stepped(ring, step)
	for len(line) > 1 && line[0] == line[len(line)-1] {
		line = line[:len(line)-1]
	}
	if len(line) > 2 {
		p.move(line)
		p.out = append(p.out, 'z')
	}
}

func (p *pen) open(line []Point, step float64) {
	if stepped := stepped(line, step); len(stepped) > 1 {
		p.move(stepped)
	}
}

// dot draws a square of three quarters of a pixel.
func (p *pen) dot(at Point) {
	q := stepOf(at)
	p.move([][2]int{{q[0] - 1, q[1] - 1}, {q[0] + 2, q[1] - 1}, {q[0] + 2, q[1] + 2}, {q[0] - 1, q[1] + 2}})
	p.out = append(p.out, 'z')
}

func (p *pen) move(line [][2]int) {
	p.out = append(p.out, 'M')
	p.pair(line[0][0], line[0][1])
	p.out = append(p.out, 'l')
	for i, q := range line[1:] {
		if i > 0 {
			p.out = append(p.out, ' ')
		}
		p.pair(q[0]-line[i][0], q[1]-line[i][1])
	}
}

func (p *pen) pair(x, y int) {
	p.out = strconv.AppendInt(p.out, int64(x), 10)
	if y >= 0 {
		p.out = append(p.out, ' ')
	}
	p.out = strconv.AppendInt(p.out, int64(y), 10)
}

// areaOf is the area of a ring, by its sense of turning.
func areaOf(ring []Point) float64 {
	sum := 0.0
	for i, p := range ring {
		q := ring[(i+len(ring)-1)%len(ring)]
		sum += q.X*p.Y - p.X*q.Y
	}
	return sum / 2
}

// inside is a place within an area and outside of its holes, and how wide it is there: the
// middle of the widest of some lines across it.
func inside(rings [][]Point) (Point, float64) {
	top, bottom := math.Inf(1), math.Inf(-1)
	for _, p := range rings[0] {
		top, bottom = min(top, p.Y), max(bottom, p.Y)
	}
	best, widest, score := rings[0][0], 0.0, 0.0
	const lines = 15
	for i := 1; i < lines; i++ {
		y := top + (bottom-top)*float64(i)/lines
		xs := crossings(rings, y)
		for k := 0; k+1 < len(xs); k += 2 {
			wide := xs[k+1] - xs[k]
			middle := 1 - math.Abs(2*float64(i)/lines-1)/2 // the middle is better
			if wide*middle > score {
				best, widest, score = Point{(xs[k] + xs[k+1]) / 2, y}, wide, wide*middle
			}
		}
	}
	return best, widest
}

// crossings are where rings cross a line, from left to right.
func crossings(rings [][]Point, y float64) []float64 {
	var xs []float64
	for _, ring := range rings {
		for i, p := range ring {
			q := ring[(i+len(ring)-1)%len(ring)]
			if (p.Y > y) != (q.Y > y) {
				xs = append(xs, q.X+(p.X-q.X)*(y-q.Y)/(p.Y-q.Y))
			}
		}
	}
	slices.Sort(xs)
	return xs
}
