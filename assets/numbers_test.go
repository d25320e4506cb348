package assets_test

import (
	"maps"
	"strconv"
	"testing"
)

// named gives all elements of the bodies a name and the document a place that nobody
// sees for the page of each. Rows that a table lends its pages stand on none themselves,
// and what stands freely on several.
const named = `(() => {
  const places = document.createElement("div");
  places.style.display = "none";
  document.querySelectorAll(".q-body :not(.q-carry, .q-carry *, .q-on-pages)").forEach((el, i) => {
    el.id ||= "n" + i;
    const place = places.appendChild(document.createElement("span"));
    place.className = "q-page-of";
    place.dataset.target = el.id;
  });
  document.querySelector(".q-body")?.prepend(places);
})(); null`

// Numbers of pages that are not made are those of the pages that are made, for
// everything in a document.
func TestNumbersWithoutPages(t *testing.T) {
	tb := chrome(t)
	documents := map[string]string{}
	for seed := range uint64(25) {
		documents["random "+strconv.FormatUint(seed, 10)] = generate(seed)
	}
	for _, c := range paginationCases() {
		documents[c.name] = c.html
	}
	without := 0
	for name, html := range documents {
		var told struct{ PageOf map[string]string }
		tb.load(t, html)
		tb.eval(t, named, nil)
		tb.eval(t, "quire.number()", &told)
		pages := 0
		tb.eval(t, `document.querySelectorAll(".q-page").length`, &pages)
		if pages == 0 {
			without++
		}
		shown := map[string]string{}
		tb.load(t, html)
		tb.eval(t, named, nil)
		tb.eval(t, `quire.paginate().then(() => Object.fromEntries([...document.querySelectorAll(".q-page-of")].map((el) => [el.dataset.target, el.textContent])))`, &shown)
		maps.DeleteFunc(shown, func(id, page string) bool { return told.PageOf[id] == page })
		for id, page := range shown {
			t.Errorf("%s: #%s is told to stand on page %q; it stands on %q", name, id, told.PageOf[id], page)
		}
	}
	if without < len(documents)/2 {
		t.Errorf("only %d of %d documents were left without pages", without, len(documents))
	}
}
