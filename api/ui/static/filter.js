// A search field shows the cards that fit while somebody types; lists that the
// service filters are asked for as soon as a choice has changed. Without this
// script both have a button.
for (const field of document.querySelectorAll("[data-filters]")) {
  field.form.querySelector("button").hidden = true;
  const filter = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const card of document.querySelectorAll(field.dataset.filters)) card.hidden = !words.every((w) => card.dataset.words.toLowerCase().includes(w));
    for (const shelf of document.querySelectorAll("fieldset:has(.cards)")) shelf.hidden = !shelf.querySelector(".start:not([hidden])");
  };
  field.addEventListener("input", filter);
  field.form.addEventListener("submit", (e) => e.preventDefault());
}
