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
for (const form of document.querySelectorAll("form[data-auto]")) {
  form.querySelector("button").hidden = true; // Enter in the search field sends it, too
  for (const choice of form.querySelectorAll("select")) choice.addEventListener("change", () => form.requestSubmit());
  form.addEventListener("submit", () => sessionStorage.setItem("quire-filter", document.activeElement?.id ?? ""));
  const last = sessionStorage.getItem("quire-filter");
  sessionStorage.removeItem("quire-filter");
  if (last) document.getElementById(last)?.focus();
}
