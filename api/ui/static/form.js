// A field that others depend on asks for what they offer now, as soon as it has
// a new value. Without this script the button "Update choices" does so.
for (const field of document.querySelectorAll("[data-leads]")) {
  field.addEventListener("change", () => field.form.querySelector("button[name=ask]").click());
}
const last = sessionStorage.getItem("quire-field");
sessionStorage.removeItem("quire-field");
if (last) document.getElementById(last)?.focus();
document.querySelector("button[name=ask]")?.addEventListener("click", () => sessionStorage.setItem("quire-field", document.activeElement?.id ?? ""));
