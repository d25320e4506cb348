package pdf

// pageLabels are the numbers of the pages as ranges of a number tree: each begins
// where the numbers do not go on by one. Nil when nothing is said of them.
func (m *merger) pageLabels() dict {
	var nums array
	labels := m.o.Labels[:min(len(m.o.Labels), len(m.pages))]
	for i, n := range labels {
		switch {
		case i > 0 && n == 0 && labels[i-1] == 0, i > 0 && n > 0 && n == labels[i-1]+1 && labels[i-1] > 0:
		case n <= 0:
			nums = append(nums, i, dict{})
		default:
			nums = append(nums, i, dict{{"S", name("D")}, {"St", n}})
		}
	}
	if nums == nil {
		return nil
	}
	return dict{{"Nums", nums}}
}
