// Buttons with data-test ask the service for a test with what the form says now
// and show its answer in the page, so that secrets need not be entered again.
// Without this script the page is shown anew.
for (const button of document.querySelectorAll("button[data-test]")) {
  button.addEventListener("click", async (e) => {
    e.preventDefault();
    const places = ["wrong", "tested"].map((id) => document.getElementById(id));
    places[0].replaceChildren();
    const words = document.createElement("p");
    words.className = "muted";
    words.textContent = button.dataset.wait;
    places[1].replaceChildren(words);
    button.setAttribute("aria-disabled", "true");
    try {
      const answer = await fetch(button.formAction, { method: "POST", body: new URLSearchParams(new FormData(button.form)) });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const place of places) place.replaceChildren(...(page.getElementById(place.id)?.childNodes ?? []));
      if (!page.getElementById("tested")) places[1].append(...page.querySelectorAll("main h1, main p"));
    } finally {
      button.removeAttribute("aria-disabled");
    }
    document.getElementById("problem")?.scrollIntoView({ block: "nearest" });
  });
}
