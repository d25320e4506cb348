package geo

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

type object map[string]any

func (o object) Get(name string) (any, bool) { v, ok := o[name]; return v, ok }

// tree is JSON as Parse takes it.
func tree(t testing.TB, doc string) any {
	var v any
	if err := json.Unmarshal([]byte(doc), &v); err != nil {
		t.Fatal(err)
	}
	return objects(v)
}

func objects(v any) any {
	switch v := v.(type) {
	case map[string]any:
		o := object{}
		for k, item := range v {
			o[k] = objects(item)
		}
		return o
	case []any:
		for i := range v {
			v[i] = objects(v[i])
		}
	}
	return v
}

func TestFaultsNameTheirPlaces(t *testing.T) {
	for doc, want := range map[string]string{
		`[]`:                                    `there is no object`,
		`{"type":"Topology"}`:                   `this is TopoJSON; convert it to GeoJSON`,
		`{"type":"Circle"}`:                     `"Circle" is no geometry of GeoJSON`,
		`{"type":"FeatureCollection"}`:          `features: there is no list`,
		`{"type":"Point","coordinates":[1]}`:    `coordinates: a position is a list of a longitude and a latitude`,
		`{"type":"Point","coordinates":[1,91]}`: `coordinates: 1, 91 are no degrees; GeoJSON has longitudes from -180 to 180 and latitudes from -90 to 90 (WGS 84)`,
		`{"type":"FeatureCollection","features":[{"type":"Feature","geometry":null},{"type":"Feature","geometry":{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]],[[[0,0],[1,"x"],[2,2]]]]}}]}`: `features[1].geometry.coordinates[1][0][1]: a longitude or latitude is no number`,
		`{"type":"Polygon","coordinates":[[[0,0],[1,1]]]}`:                                           `coordinates[0]: 2 positions are too few; there must be 3`,
		`{"type":"GeometryCollection","geometries":[{"type":"LineString","coordinates":7}]}`:         `geometries[0].coordinates: there is no list of positions`,
		strings.Repeat(`{"type":"GeometryCollection","geometries":[`, 22) + strings.Repeat(`]}`, 22): strings.Repeat("geometries[0].", 20),
	} {
		if _, err := Parse(tree(t, doc)); err == nil || !strings.HasPrefix(err.Error(), strings.TrimSuffix(want, ".")) {
			t.Errorf("%.80s\n got %v\nwant %s", doc, err, want)
		}
	}
}

func shapesOf(t *testing.T, doc string, p Projection) []Shape {
	t.Helper()
	features, err := Parse(tree(t, doc))
	if err != nil {
		t.Fatal(err)
	}
	return Draw(features, p, 400, 300)
}

// box is what a path covers, in pixels.
func box(t *testing.T, path string) (west, north, east, south float64) {
	t.Helper()
	west, north, east, south = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, part := range strings.Split(strings.ReplaceAll(path, "z", ""), "M")[1:] {
		numbers := strings.Fields(strings.ReplaceAll(strings.ReplaceAll(part, "l", " "), "-", " -"))
		x, y := 0.0, 0.0
		for i := 0; i+1 < len(numbers); i += 2 {
			var dx, dy float64
			fmt.Sscan(numbers[i], &dx)
			fmt.Sscan(numbers[i+1], &dy)
			x, y = x+dx*Unit, y+dy*Unit
			west, north, east, south = min(west, x), min(north, y), max(east, x), max(south, y)
		}
	}
	return west, north, east, south
}

// Islands on both sides of the antimeridian stand beside each other, and fill their box.
func TestAntimeridianIsNoEdge(t *testing.T) {
	const west = `[[[177,-18],[178.5,-17.3],[178.6,-18.2],[177,-18]]]`
	const across = `[[[179,-16.6],[179.9,-16.1],[-179.9,-16.2],[179,-16.6]]]`
	const east = `[[[-179.9,-16.9],[-178,-16.9],[-178,-17.1],[-179.9,-16.9]]]`
	feature := func(name, rings string) string {
		return `{"type":"Feature","id":"` + name + `","geometry":{"type":"Polygon","coordinates":` + rings + `}}`
	}
	for _, p := range []Projection{Auto, EqualEarth, Mercator, Equirectangular, Conic} {
		s := shapesOf(t, `{"type":"FeatureCollection","features":[`+feature("w", west)+","+feature("a", across)+","+feature("e", east)+`]}`, p)
		w0, _, w1, _ := box(t, s[0].Area)
		a0, _, a1, _ := box(t, s[1].Area)
		e0, _, e1, _ := box(t, s[2].Area)
		if !(w0 < a0 && a0 < a1 && a1 < e1 && w1 < e0) || a1-a0 > 200 || e1-w0 < 250 {
			t.Errorf("%s: %v–%v, %v–%v, %v–%v", p, w0, w1, a0, a1, e0, e1)
		}
	}
}

// On a map of the world what crosses its edge is drawn at both, and a cap at its pole.
func TestWorldIsCutAtItsEdge(t *testing.T) {
	var cells []string
	for x := -180; x < 180; x += 30 {
		cells = append(cells, fmt.Sprintf(`{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[%d,-60],[%d,-60],[%d,60],[%d,60],[%d,-60]]]}}`, x, x+30, x+30, x, x))
	}
	cells = append(cells, `{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[170,10],[-170,10],[-170,20],[170,20],[170,10]]]}}`,
		`{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[-170,-70],[-60,-72],[60,-70],[170,-71],[-170,-70]]]}}`,
		`{"type":"Feature","geometry":{"type":"LineString","coordinates":[[170,0],[-170,0]]}}`)
	s := shapesOf(t, `{"type":"FeatureCollection","features":[`+strings.Join(cells, ",")+`]}`, Auto)
	across, cap, line := s[len(s)-3], s[len(s)-2], s[len(s)-1]
	if strings.Count(across.Area, "M") != 2 || strings.Count(line.Line, "M") != 2 {
		t.Errorf("across the edge: %q, %q", across.Area, line.Line)
	}
	if west, north, east, south := box(t, cap.Area); east-west < 150 || south-north < 6 {
		t.Errorf("the cap covers %v to %v, and %v to %v down", west, east, north, south)
	}
}

// Areas of equal size stay so in projections that promise it.
func TestProjectionsKeepAreas(t *testing.T) {
	// Between sines that are evenly apart lie equal areas.
	at := func(sin float64) float64 { return math.Asin(sin) / degree }
	var cells []string
	for _, sin := range []float64{0.5, 0.6, 0.7, 0.8} {
		cells = append(cells, fmt.Sprintf(`{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,%g],[20,%g],[20,%g],[0,%g],[0,%g]]]}}`, at(sin), at(sin), at(sin+0.1), at(sin+0.1), at(sin)))
	}
	for _, p := range []Projection{EqualEarth, Conic} {
		s := shapesOf(t, `{"type":"FeatureCollection","features":[`+strings.Join(cells, ",")+`]}`, p)
		for i := range s {
			if ratio := s[i].Size / s[0].Size; math.Abs(ratio-1) > 0.01 {
				t.Errorf("%s: cell %d is %.3f times as large as the first", p, i, ratio)
			}
		}
	}
}

// A name stands within its shape, and not in a hole of it.
func TestPlacesLieInside(t *testing.T) {
	s := shapesOf(t, `{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,9],[0,0]],[[2,1],[8,1],[8,8],[2,8],[2,1]]]}`, Equirectangular)[0]
	west, north, east, south := box(t, s.Area)
	x, y := (s.Place.X-west)/(east-west)*9, 9-(s.Place.Y-north)/(south-north)*9
	if x < 0 || x > 9 || y < 0 || y > 9 || x > 2 && x < 8 && y > 1 && y < 8 {
		t.Errorf("the place is %.2f, %.2f", x, y)
	}
}

// Borders of neighbours stay one, whichever way around each goes.
func TestNeighboursShareTheirBorder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var border []Point
	for i := range 400 {
		border = append(border, Point{10 + r.Float64()*0.3, 40 + float64(i)*0.01})
	}
	west := append([]Point{{8, 40}, {8, 44}}, reversed(border)...)
	east := append(append([]Point{}, border...), Point{12, 44}, Point{12, 40})
	s := Draw([]Feature{{Areas: [][][]Point{{west}}}, {Areas: [][][]Point{{east}}}}, Auto, 300, 300)
	if a, b := corners(s[0].Area), corners(s[1].Area); len(a) < 100 || different(a, b) > 4 {
		t.Errorf("of %d and %d positions %d differ", len(a), len(b), different(a, b))
	}
}

func reversed(list []Point) []Point {
	var out []Point
	for i := range list {
		out = append(out, list[len(list)-1-i])
	}
	return out
}

func corners(path string) map[[2]int]bool {
	out := map[[2]int]bool{}
	numbers := strings.Fields(strings.NewReplacer("M", " ", "l", " ", "z", " ", "-", " -").Replace(path))
	x, y := 0, 0
	for i := 0; i+1 < len(numbers); i += 2 {
		var dx, dy int
		fmt.Sscan(numbers[i], &dx)
		fmt.Sscan(numbers[i+1], &dy)
		x, y = x+dx, y+dy
		out[[2]int{x, y}] = true
	}
	return out
}

func different(a, b map[[2]int]bool) (n int) {
	for p := range a {
		if !b[p] {
			n++
		}
	}
	for p := range b {
		if !a[p] {
			n++
		}
	}
	return n
}

// coast is a feature with so many positions.
func coast(n int) []Feature {
	r := rand.New(rand.NewPCG(3, 4))
	ring := make([]Point, n)
	for i := range ring {
		a := 2 * math.Pi * float64(i) / float64(n)
		d := 8 + math.Sin(7*a) + r.Float64()*0.05
		ring[i] = Point{20 + d*math.Cos(a), 50 + d*math.Sin(a)/2}
	}
	return []Feature{{Areas: [][][]Point{{ring}}}}
}

// A large file does not make a large page.
func TestDrawingsAreAsLargeAsTheyAre(t *testing.T) {
	drawn := func(n int) (size int, took time.Duration) {
		features := coast(n)
		begin := time.Now()
		size = len(Draw(features, Auto, 600, 400)[0].Area)
		return size, time.Since(begin)
	}
	small, short := drawn(20_000)
	large, long := drawn(400_000)
	t.Logf("20,000 positions: %d bytes in %v; 400,000: %d bytes in %v", small, short, large, long)
	if large > 500_000 || large > 4*small+100_000 {
		t.Errorf("%d bytes of 20,000 positions, %d of 400,000", small, large)
	}
}

func TestWhatIsTooSmallIsADot(t *testing.T) {
	s := shapesOf(t, `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[40,0],[40,30],[0,30],[0,0]]]}},{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[50,5],[50.001,5],[50.001,5.001],[50,5]]]}}]}`, Auto)
	if s[1].Area == "" || !s[1].Shown {
		t.Error("the islet is not drawn")
	}
}

func FuzzParse(f *testing.F) {
	for _, doc := range []string{
		`{"type":"FeatureCollection","features":[{"type":"Feature","id":1,"properties":{"name":"x"},"geometry":{"type":"MultiPolygon","coordinates":[[[[170,0],[-170,0],[-170,10],[170,0]]],[[[0,89],[120,89],[-120,89],[0,89]]]]}}]}`,
		`{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]},{"type":"MultiLineString","coordinates":[[[-180,0],[180,0]],[[540,1],[-540,-1]]]}]}`,
		`{"type":"Polygon","coordinates":[[[-180,-90],[180,-90],[180,90],[-180,90],[-180,-90]],[]]}`, `{"type":"Polygon","coordinates":[]}`,
	} {
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		var v any
		if json.Unmarshal([]byte(doc), &v) != nil {
			return
		}
		features, err := Parse(objects(v))
		if err != nil {
			return
		}
		for _, p := range []Projection{Auto, EqualEarth, Mercator, Equirectangular, Conic} {
			for _, s := range Draw(features, p, 200, 100) {
				for _, path := range []string{s.Area, s.Line} {
					west, north, east, south := box(t, path)
					if path != "" && (west < -2 || north < -2 || east > 202 || south > 102) {
						t.Errorf("%s: %v %v %v %v of %s", p, west, north, east, south, doc)
					}
				}
				if math.IsNaN(s.Place.X + s.Place.Y + s.Wide + s.Size) {
					t.Errorf("%s: place %v of %s", p, s.Place, doc)
				}
			}
		}
	})
}
