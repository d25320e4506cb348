// Menus close on Escape, which gives the focus back to what opened them, and when
// something outside them is pressed or reached. Without this script they close
// by what opened them.
const open = () => document.querySelectorAll("details.menu[open]");
addEventListener("keydown", (e) => {
  if (e.key !== "Escape") return;
  for (const menu of open()) {
    const inside = menu.contains(document.activeElement);
    menu.open = false;
    if (inside) menu.querySelector("summary").focus();
  }
});
for (const leaves of ["pointerdown", "focusin"]) {
  addEventListener(leaves, (e) => {
    for (const menu of open()) if (!menu.contains(e.target)) menu.open = false;
  });
}
// None is cut by an edge of the window.
addEventListener("toggle", (e) => {
  const list = e.target.matches("details.menu[open]") && e.target.querySelector(".menu-list");
  if (!list) return;
  list.style.translate = "";
  const { left, right } = list.getBoundingClientRect();
  const by = Math.max(8 - left, Math.min(0, document.documentElement.clientWidth - 8 - right));
  if (by !== 0) list.style.translate = `${by}px`;
}, true);
