package pdf

import "math"

// matrix is [a b c d e f] as PDF writes them.
type matrix [6]float64

func identity() matrix { return matrix{1, 0, 0, 1, 0, 0} }

// before is the matrix that does m first and then n.
func (m matrix) before(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// scale is by how much the matrix makes heights larger.
func (m matrix) scale() float64 { return math.Hypot(m[2], m[3]) }

// bounds is the smallest rectangle around some points; empty until one is added.
type bounds struct {
	x0, y0, x1, y1 float64
	some           bool
}

func (r *bounds) add(m matrix, x, y float64) {
	x, y = m[0]*x+m[2]*y+m[4], m[1]*x+m[3]*y+m[5]
	if !r.some {
		*r = bounds{x, y, x, y, true}
		return
	}
	r.x0, r.y0 = math.Min(r.x0, x), math.Min(r.y0, y)
	r.x1, r.y1 = math.Max(r.x1, x), math.Max(r.y1, y)
}

func (r *bounds) join(o bounds) {
	if o.some {
		r.add(identity(), o.x0, o.y0)
		r.add(identity(), o.x1, o.y1)
	}
}

// within cuts the rectangle to a box; outside of it, it is the box.
func (r bounds) within(box [4]float64) array {
	x0, y0 := math.Max(r.x0, box[0]), math.Max(r.y0, box[1])
	x1, y1 := math.Min(r.x1, box[2]), math.Min(r.y1, box[3])
	if !r.some || x0 >= x1 || y0 >= y1 {
		x0, y0, x1, y1 = box[0], box[1], box[2], box[3]
	}
	return array{x0, y0, x1, y1}
}
