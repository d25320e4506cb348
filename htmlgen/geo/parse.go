package geo

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// Point is a place in degrees: X is the longitude, Y the latitude.
type Point struct{ X, Y float64 }

// Feature is a shape with its properties.
type Feature struct {
	ID         any
	Properties Object // nil: it has none
	Areas      [][][]Point
	Lines      [][]Point
	Points     []Point
}

// Object is what JSON has between braces.
type Object interface {
	Get(name string) (any, bool)
}

// mostPoints bounds what is read, deepest how deep collections stand in each other.
const (
	mostPoints = 4_000_000
	deepest    = 20
)

// reader reads a tree of JSON.
type reader struct {
	features []Feature
	points   int
}

// Parse reads a FeatureCollection, a Feature or a geometry. An error names the place.
func Parse(tree any) ([]Feature, error) {
	r := &reader{}
	if err := r.root(tree); err != nil {
		return nil, err
	}
	return r.features, nil
}

func (r *reader) root(tree any) error {
	o, kind, err := typed(tree, "")
	if err != nil {
		return err
	}
	switch kind {
	case "FeatureCollection":
		list, err := array(o, "features", "")
		if err != nil {
			return err
		}
		for i, item := range list {
			if err := r.feature(item, fmt.Sprintf("features[%d]", i)); err != nil {
				return err
			}
		}
		return nil
	case "Feature":
		return r.feature(tree, "")
	case "Topology":
		return fail("", "this is TopoJSON; convert it to GeoJSON")
	}
	var f Feature
	if err := r.geometry(&f, tree, "", 0); err != nil {
		return err
	}
	r.features = append(r.features, f)
	return nil
}

func (r *reader) feature(item any, at string) error {
	o, kind, err := typed(item, at)
	if err != nil {
		return err
	}
	if kind != "Feature" {
		return fail(join(at, "type"), "%q is no Feature", kind)
	}
	var f Feature
	f.ID, _ = o.Get("id")
	properties, _ := o.Get("properties")
	f.Properties, _ = properties.(Object)
	if geometry, _ := o.Get("geometry"); geometry != nil { // one without a place
		if err := r.geometry(&f, geometry, join(at, "geometry"), 0); err != nil {
			return err
		}
	}
	r.features = append(r.features, f)
	return nil
}

func (r *reader) geometry(f *Feature, item any, at string, depth int) error {
	o, kind, err := typed(item, at)
	if err != nil {
		return err
	}
	if kind == "GeometryCollection" {
		list, err := array(o, "geometries", at)
		if err != nil {
			return err
		}
		if depth == deepest {
			return fail(at, "collections stand more than %d deep in each other", deepest)
		}
		for i, part := range list {
			if err := r.geometry(f, part, fmt.Sprintf("%s[%d]", join(at, "geometries"), i), depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	coordinates, _ := o.Get("coordinates")
	at = join(at, "coordinates")
	switch kind {
	case "Point":
		p, err := r.point(coordinates, at)
		f.Points = append(f.Points, p)
		return err
	case "MultiPoint":
		list, err := r.line(coordinates, at, 0)
		f.Points = append(f.Points, list...)
		return err
	case "LineString":
		return r.lines(f, []any{coordinates}, at, false)
	case "MultiLineString":
		return r.lines(f, coordinates, at, true)
	case "Polygon":
		return r.areas(f, []any{coordinates}, at, false)
	case "MultiPolygon":
		return r.areas(f, coordinates, at, true)
	}
	return fail(at[:max(0, len(at)-len(".coordinates"))], "%q is no geometry of GeoJSON", kind)
}

func (r *reader) lines(f *Feature, coordinates any, at string, many bool) error {
	return each(coordinates, at, many, func(part any, at string) error {
		line, err := r.line(part, at, 2)
		f.Lines = append(f.Lines, line)
		return err
	})
}

func (r *reader) areas(f *Feature, coordinates any, at string, many bool) error {
	return each(coordinates, at, many, func(part any, at string) error {
		var rings [][]Point
		err := each(part, at, true, func(part any, at string) error {
			ring, err := r.line(part, at, 3)
			rings = append(rings, ring)
			return err
		})
		f.Areas = append(f.Areas, rings)
		return err
	})
}

// each reads a list; one that was made around a single thing has no place of its own.
func each(coordinates any, at string, many bool, read func(part any, at string) error) error {
	list, ok := coordinates.([]any)
	if !ok {
		return fail(at, "there is no list")
	}
	for i, part := range list {
		place := at
		if many {
			place = fmt.Sprintf("%s[%d]", at, i)
		}
		if err := read(part, place); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) line(coordinates any, at string, least int) ([]Point, error) {
	list, ok := coordinates.([]any)
	if !ok {
		return nil, fail(at, "there is no list of positions")
	}
	if len(list) < least {
		return nil, fail(at, "%d positions are too few; there must be %d", len(list), least)
	}
	points := make([]Point, 0, len(list))
	for i, item := range list {
		p, err := r.point(item, "")
		if err != nil { // now that its place is needed
			_, err = r.point(item, fmt.Sprintf("%s[%d]", at, i))
			return nil, err
		}
		points = append(points, p)
	}
	return points, nil
}

func (r *reader) point(item any, at string) (Point, error) {
	if r.points++; r.points > mostPoints {
		return Point{}, fail(at, "there are more than %d positions; simplify the file", mostPoints)
	}
	list, ok := item.([]any)
	if !ok || len(list) < 2 {
		return Point{}, fail(at, "a position is a list of a longitude and a latitude")
	}
	x, okX := number(list[0])
	y, okY := number(list[1])
	switch {
	case !okX || !okY:
		return Point{}, fail(at, "a longitude or latitude is no number")
	case math.Abs(x) > 540 || math.Abs(y) > 90.000001:
		return Point{}, fail(at, "%s, %s are no degrees; GeoJSON has longitudes from -180 to 180 and latitudes from -90 to 90 (WGS 84)", short(x), short(y))
	}
	return Point{x, min(90, max(-90, y))}, nil
}

func short(v float64) string { return strconv.FormatFloat(v, 'g', 10, 64) }

func number(v any) (float64, bool) {
	var f float64
	var err error
	switch v := v.(type) {
	case json.Number:
		f, err = strconv.ParseFloat(string(v), 64)
	case float64:
		f = v
	case int64:
		f = float64(v)
	default:
		return 0, false
	}
	return f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
}

func typed(item any, at string) (Object, string, error) {
	o, ok := item.(Object)
	if !ok {
		return nil, "", fail(at, "there is no object")
	}
	kind, _ := o.Get("type")
	name, ok := kind.(string)
	if !ok {
		return nil, "", fail(join(at, "type"), "there is no type, such as \"FeatureCollection\"")
	}
	return o, name, nil
}

func array(o Object, name, at string) ([]any, error) {
	v, _ := o.Get(name)
	list, ok := v.([]any)
	if !ok {
		return nil, fail(join(at, name), "there is no list")
	}
	return list, nil
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

// fail is an error with its place.
func fail(at, format string, args ...any) error {
	message := fmt.Sprintf(format, args...)
	if at == "" {
		return fmt.Errorf("%s", message)
	}
	return fmt.Errorf("%s: %s", at, message)
}
