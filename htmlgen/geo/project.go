package geo

import (
	"math"
	"slices"
)

// Projection is how degrees become a plane.
type Projection string

// The projections; Auto chooses by what is shown.
const (
	Auto            Projection = "auto"
	EqualEarth      Projection = "equal-earth"
	Mercator        Projection = "mercator"
	Equirectangular Projection = "equirectangular"
	Conic           Projection = "conic"
)

// plane turns longitudes from its middle, and latitudes, in degrees to a plane whose
// y grows downwards.
type plane struct {
	middle  float64 // longitude
	project func(x, y float64) (float64, float64)
}

const degree = math.Pi / 180

// extent is what features cover, in degrees; longitudes go on behind 180.
type extent struct{ west, east, south, north float64 }

// cover is the extent of features: of all arcs of longitudes that hold them the
// shortest.
func cover(features []Feature) (extent, bool) {
	e := extent{south: 90, north: -90}
	const cells = 720 // half degrees
	var taken [cells]bool
	cell := func(x float64) int { return ((int(math.Floor(x*2)) % cells) + cells) % cells }
	any := false
	lows, highs := [cells]float64{}, [cells]float64{}
	add := func(p Point) {
		x := math.Mod(math.Mod(p.X, 360)+360, 360)
		i := cell(x)
		if !taken[i] {
			taken[i], lows[i], highs[i] = true, x, x
		}
		lows[i], highs[i] = min(lows[i], x), max(highs[i], x)
		e.south, e.north = min(e.south, p.Y), max(e.north, p.Y)
		any = true
	}
	line := func(points []Point) {
		for i, p := range points {
			add(p)
			if i > 0 { // the cells between two positions
				q := points[i-1]
				step := turn(q.X, p.X)
				for n := 1.0; n < math.Abs(step)*2; n++ {
					add(Point{q.X + step*n/(math.Abs(step)*2), p.Y})
				}
			}
		}
	}
	for i := range features {
		f := &features[i]
		for _, area := range f.Areas {
			for _, ring := range area {
				line(ring)
			}
		}
		for _, l := range f.Lines {
			line(l)
		}
		for _, p := range f.Points {
			add(p)
		}
	}
	if !any {
		return e, false
	}
	// The longest run of cells that nothing stands in is behind the map.
	best, run, end := 0, 0, -1
	for i := range 2 * cells {
		if taken[i%cells] {
			run = 0
			continue
		}
		if run++; run > best && run <= cells {
			best, end = run, i%cells
		}
	}
	if best == 0 {
		e.west, e.east = -180, 180
		return e, true
	}
	first := (end + 1) % cells
	last := ((end-best)%cells + cells) % cells
	e.west, e.east = lows[first], highs[last]
	if e.east < e.west {
		e.east += 360
	}
	if e.west > 180 {
		e.west, e.east = e.west-360, e.east-360
	}
	return e, true
}

// turn is the way from one longitude to another: the shorter one, unless both lie on the
// edge of a map that is cut there.
func turn(from, to float64) float64 {
	step := to - from
	if math.Abs(from) == 180 && math.Abs(to) == 180 {
		return step
	}
	for step > 180 {
		step -= 360
	}
	for step < -180 {
		step += 360
	}
	return step
}

// planeFor is the projection of an extent. What covers much of the earth keeps areas; a
// middle part lies on a cone, and near the equator and in small parts meridians are straight.
func planeFor(p Projection, e extent) plane {
	wide, high := e.east-e.west, e.north-e.south
	middle, center := (e.west+e.east)/2, (e.south+e.north)/2
	if wide > 300 {
		middle = 0
	}
	if p == Auto || p == "" {
		switch {
		case wide > 150 || high > 100:
			p = EqualEarth
		case math.Abs(center) > 15 && (wide > 5 || high > 5):
			p = Conic
		case wide <= 5 && high <= 5:
			p = Mercator
		default:
			p = Equirectangular
		}
	}
	switch p {
	case EqualEarth:
		return plane{middle, equalEarth}
	case Mercator:
		return plane{middle, mercator}
	case Conic:
		if project := conic(e.south+high/6, e.north-high/6); project != nil {
			return plane{middle, project}
		}
	}
	squeeze := math.Cos(min(85, math.Abs(center)) * degree)
	return plane{middle, func(x, y float64) (float64, float64) { return x * degree * squeeze, -y * degree }}
}

func mercator(x, y float64) (float64, float64) {
	y = min(85.05, max(-85.05, y)) * degree
	return x * degree, -math.Log(math.Tan(math.Pi/4 + y/2))
}

// equalEarth is the projection of Šavrič, Patterson and Jenny (2018).
func equalEarth(x, y float64) (float64, float64) {
	const a1, a2, a3, a4 = 1.340264, -0.081106, 0.000893, 0.003796
	root := math.Sqrt(3) / 2
	t := math.Asin(root * math.Sin(y*degree))
	t2 := t * t
	t6 := t2 * t2 * t2
	return x * degree * math.Cos(t) / (root * (a1 + 3*a2*t2 + t6*(7*a3+9*a4*t2))), -t * (a1 + a2*t2 + t6*(a3+a4*t2))
}

// conic is Albers' projection, which keeps areas, by two parallels; nil where they lie
// the same way from the equator, so that there is no cone.
func conic(south, north float64) func(x, y float64) (float64, float64) {
	sin := math.Sin(south * degree)
	n := (sin + math.Sin(north*degree)) / 2
	if math.Abs(n) < 0.05 {
		return nil
	}
	c := math.Cos(south*degree)*math.Cos(south*degree) + 2*n*sin
	return func(x, y float64) (float64, float64) {
		r := math.Sqrt(max(0, c-2*n*math.Sin(y*degree))) / n
		return r * math.Sin(n*x*degree), r * math.Cos(n*x*degree)
	}
}

// unrolled is a line without jumps, with longitudes from a middle; closed tells whether a
// ring ends where it begins, once around the earth or not.
func unrolled(points []Point, middle float64) []Point {
	out := make([]Point, len(points))
	x := 0.0
	for i, p := range points {
		if i == 0 {
			x = p.X - middle
		} else {
			x += turn(points[i-1].X, p.X)
		}
		out[i] = Point{x, p.Y}
	}
	return out
}

// ringsWithin are the parts of a ring within half a turn of the middle.
func ringsWithin(ring []Point, middle float64) [][]Point {
	if n := len(ring); n > 1 && ring[0] == ring[n-1] {
		ring = ring[:n-1]
	}
	if len(ring) < 3 {
		return nil
	}
	open := unrolled(append(slices.Clone(ring), ring[0]), middle)
	around := open[len(open)-1].X - open[0].X
	if math.Abs(around) > 1 { // it goes around a pole, which is its edge then
		sum := 0.0
		for _, p := range open {
			sum += p.Y
		}
		pole := math.Copysign(90, sum)
		open = append(open, Point{open[len(open)-1].X, pole}, Point{open[0].X, pole})
	} else {
		open = open[:len(open)-1]
	}
	west, east := math.Inf(1), math.Inf(-1)
	for _, p := range open {
		west, east = min(west, p.X), max(east, p.X)
	}
	if west >= -180 && east <= 180 {
		return [][]Point{open}
	}
	var parts [][]Point
	for shift := 360 * math.Ceil((-180-east)/360); west+shift < 180; shift += 360 {
		part := make([]Point, len(open))
		for i, p := range open {
			part[i] = Point{p.X + shift, p.Y}
		}
		part = clipped(clipped(part, -180, 1), 180, -1)
		if len(part) > 2 {
			parts = append(parts, part)
		}
	}
	return parts
}

// clipped is a ring on one side of a meridian.
func clipped(ring []Point, at, side float64) []Point {
	var out []Point
	for i, p := range ring {
		q := ring[(i+len(ring)-1)%len(ring)]
		in, was := (p.X-at)*side >= 0, (q.X-at)*side >= 0
		if in != was {
			out = append(out, Point{at, q.Y + (p.Y-q.Y)*(at-q.X)/(p.X-q.X)})
		}
		if in {
			out = append(out, p)
		}
	}
	return out
}

// linesWithin are the parts of a line within half a turn of the middle.
func linesWithin(line []Point, middle float64) [][]Point {
	var parts [][]Point
	var part []Point
	lap := 0.0
	for i, p := range unrolled(line, middle) {
		now := math.Floor((p.X + 180) / 360)
		at := Point{p.X - 360*now, p.Y}
		if i > 0 && now != lap { // it is cut between the two
			last := part[len(part)-1]
			edge := math.Copysign(180, now-lap)
			whole := p.X - 360*lap
			y := last.Y
			if whole != last.X {
				y += (p.Y - last.Y) * (edge - last.X) / (whole - last.X)
			}
			parts = append(parts, append(part, Point{edge, y}))
			part = []Point{{-edge, y}}
		}
		part, lap = append(part, at), now
	}
	return append(parts, part)
}

// within is a place within half a turn of the middle.
func (p Point) within(middle float64) Point {
	x := math.Mod(p.X-middle+540, 360)
	if x < 0 {
		x += 360
	}
	return Point{x - 180, p.Y}
}

// bent is a line with positions so close that its projection is bent where it has to be.
func bent(line []Point, closed bool) []Point {
	const longest = 4 // degrees
	out := make([]Point, 0, len(line))
	for i, p := range line {
		if i > 0 || closed {
			q := line[(i+len(line)-1)%len(line)]
			if n := math.Ceil(max(math.Abs(p.X-q.X), math.Abs(p.Y-q.Y)) / longest); n > 1 {
				for k := 1.0; k < n; k++ {
					out = append(out, Point{q.X + (p.X-q.X)*k/n, q.Y + (p.Y-q.Y)*k/n})
				}
			}
		}
		out = append(out, p)
	}
	return out
}
