// A provider of OpenID Connect, at 127.0.0.1: another site than the service. It
// asks nothing: whoever it is told to be signs in at once.

import { createSign, generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");

function signed(claims) {
  const text = `${part({ alg: "RS256", kid: "one", typ: "JWT" })}.${part(claims)}`;
  return `${text}.${createSign("RSA-SHA256").update(text).sign(privateKey, "base64url")}`;
}

/** Starts it; person is set to the claims of who signs in next. */
export async function startProvider(t) {
  const provider = { url: "", person: { sub: "ana", name: "Ana Jović", email: "ana@example.com", email_verified: true, groups: ["staff"] } };
  const nonces = new Map();
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, provider.url);
    const json = (value) => response.setHeader("Content-Type", "application/json").end(JSON.stringify(value));
    if (url.pathname === "/.well-known/openid-configuration") {
      const at = (path) => provider.url + path;
      return json({
        issuer: provider.url, authorization_endpoint: at("/authorize"), token_endpoint: at("/token"), jwks_uri: at("/keys"), end_session_endpoint: at("/end"),
        response_types_supported: ["code"], subject_types_supported: ["public"], id_token_signing_alg_values_supported: ["RS256"], code_challenge_methods_supported: ["S256"],
      });
    }
    if (url.pathname === "/keys") return json({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "one", alg: "RS256", use: "sig" }] });
    if (url.pathname === "/authorize") {
      const code = String(nonces.size);
      nonces.set(code, url.searchParams.get("nonce"));
      const back = new URL(url.searchParams.get("redirect_uri"));
      back.search = new URLSearchParams({ code, state: url.searchParams.get("state") });
      return response.writeHead(302, { Location: back.href }).end();
    }
    if (url.pathname === "/token") {
      let body = "";
      for await (const chunk of request) body += chunk;
      const now = Math.floor(Date.now() / 1000);
      const claims = { iss: provider.url, aud: "quire", iat: now, exp: now + 300, nonce: nonces.get(new URLSearchParams(body).get("code")), ...provider.person };
      return json({ access_token: "none", token_type: "Bearer", expires_in: 300, id_token: signed(claims) });
    }
    response.setHeader("Content-Type", "text/html; charset=utf-8").end("<!doctype html><title>Provider</title><p>Signed out at the provider.");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => server.close());
  provider.url = `http://127.0.0.1:${server.address().port}`;
  return provider;
}
