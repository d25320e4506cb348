// Package geo reads GeoJSON and draws it: features to shapes of degrees, these by a
// projection to paths of SVG in a box. It knows nothing of reports. What it draws grows
// with the drawing and not with the file.
package geo
