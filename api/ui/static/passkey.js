// Forms that are sent with a passkey: data-passkey is the address that gives the
// options, data-makes that one is made. Without scripts, and in browsers that
// have no passkeys, they stay hidden.
const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

/** The options of the service as the browser wants them. */
const read = (options) => {
  const ids = (list) => list?.map((one) => ({ ...one, id: bytes(one.id) }));
  const out = { ...options, challenge: bytes(options.challenge) };
  if (options.user) out.user = { ...options.user, id: bytes(options.user.id) };
  if (options.excludeCredentials) out.excludeCredentials = ids(options.excludeCredentials);
  if (options.allowCredentials) out.allowCredentials = ids(options.allowCredentials);
  return out;
};

/** What the browser gave as the service wants it. */
const written = (made) => {
  const response = { clientDataJSON: text(made.response.clientDataJSON) };
  for (const name of ["attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (made.response[name]) response[name] = text(made.response[name]);
  }
  const transports = made.response.getTransports?.();
  if (transports) response.transports = transports;
  return JSON.stringify({ id: made.id, rawId: text(made.rawId), type: made.type, response, clientExtensionResults: made.getClientExtensionResults(), ...(made.authenticatorAttachment ? { authenticatorAttachment: made.authenticatorAttachment } : {}) });
};

for (const form of document.querySelectorAll("form[data-passkey]")) {
  if (!window.PublicKeyCredential) continue;
  for (const shown of document.querySelectorAll("[data-with-passkeys]")) shown.hidden = false;
  form.hidden = false;
  const problem = form.querySelector("[role=alert]");
  const tell = (message) => {
    problem.textContent = message;
    problem.hidden = message === "";
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    if (button.disabled) return;
    button.disabled = true;
    tell("");
    try {
      const answer = await fetch(form.dataset.passkey, { method: "POST", body: new URLSearchParams(new FormData(form)), headers: { Accept: "application/json" } });
      const said = await answer.json();
      if (!answer.ok) throw new Error(said.details?.[0]?.message ?? said.error);
      const publicKey = read(said.publicKey);
      const made = form.dataset.makes ? await navigator.credentials.create({ publicKey }) : await navigator.credentials.get({ publicKey });
      for (const field of form.querySelectorAll("[data-unsent]")) field.disabled = true; // it was shown already
      form.elements.credential.value = written(made);
      form.submit();
    } catch (fault) {
      button.disabled = false;
      const sentence = fault instanceof DOMException ? form.dataset.failed : fault.message;
      tell(sentence.charAt(0).toUpperCase() + sentence.slice(1));
    }
  });
}
