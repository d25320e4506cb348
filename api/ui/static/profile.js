// Offers all time zones that the browser knows, and its own. Without scripts
// the usual ones are offered, and every name can be entered.
const zone = document.getElementById("timeZone");
const own = document.querySelector("button[data-zone]");
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (Intl.supportedValuesOf) {
  const names = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((name) => name !== "UTC")];
  document.getElementById("zones").replaceChildren(...names.map((name) => Object.assign(document.createElement("option"), { value: name })));
}
if (here && here !== zone.value) {
  own.textContent = own.dataset.zone.replace("{0}", here);
  own.hidden = false;
  own.addEventListener("click", () => {
    zone.value = here;
    own.hidden = true;
    zone.focus();
  });
}
