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

// Fields for the content of a file take it from the file, too: text as it is, anything
// else as base64.
for (const choose of document.querySelectorAll("input[data-into]")) {
  choose.hidden = false;
  choose.addEventListener("change", async () => {
    const file = choose.files[0];
    if (!file) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    document.getElementById(choose.dataset.into).value = text.includes("-----BEGIN ") ? text : btoa(Array.from(bytes.subarray(0, 60000), (b) => String.fromCharCode(b)).join(""));
  });
}
