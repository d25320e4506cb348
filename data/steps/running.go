package steps

// Running gives, for each of some values, the sum of those up to it and with it. It
// begins anew at the places that begins says, unless it is nil. Numbers are added as
// sums of groups are, so that the last of them is their sum.
func Running(values []any, begins func(place int) bool, refused func(v any)) []any {
	c := Column{Refused: refused}
	sums := make([]any, len(values))
	var total adder
	for i, v := range values {
		if begins != nil && begins(i) {
			total = adder{}
		}
		c.addTo(&total, v)
		sums[i] = total.value()
	}
	return sums
}
