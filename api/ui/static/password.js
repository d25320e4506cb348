// Ticks what a new password already has. The service checks it again.
const kept = {
  length: (text) => [...text].length >= 8,
  letter: (text) => /\p{L}/u.test(text),
  digit: (text) => /\p{Nd}/u.test(text),
  special: (text) => /[^\p{L}\p{Nd}\s]/u.test(text),
};
const field = document.getElementById("password");
const tick = () => {
  for (const line of document.querySelectorAll("[data-rule]")) {
    line.classList.toggle("kept", kept[line.dataset.rule](field.value));
  }
};
field?.addEventListener("input", tick);
