// Which pages may speak to the viewer: those that may show it in a frame, by the
// same list as in the policy that the browser holds them against.

/** Whether an origin is among those of a list as Content-Security-Policy writes them. */
export function isHost(origin: string, list: string[], own: string): boolean {
  return list.some((source) => matches(origin, source, own));
}

function matches(origin: string, source: string, own: string): boolean {
  if (source === "*") return true;
  if (source === "'self'") return origin === own;
  const wanted = /^(?:(https?):\/\/)?(\*\.)?([^:/*]+)(?::(\d+|\*))?$/i.exec(source);
  const is = /^(https?):\/\/([^:/]+)(?::(\d+))?$/i.exec(origin);
  if (!wanted || !is) return false;
  const [, scheme, below, host, port] = wanted;
  const [, isScheme, isHostName, isPort] = is;
  const defaultScheme = own.split(":")[0]!;
  const schemes = scheme === "http" || (!scheme && defaultScheme === "http") ? ["http", "https"] : ["https"];
  if (!schemes.includes(isScheme!.toLowerCase())) return false;
  const name = isHostName!.toLowerCase();
  if (below ? !name.endsWith(`.${host!.toLowerCase()}`) : name !== host!.toLowerCase()) return false;
  const standard = isScheme!.toLowerCase() === "https" ? "443" : "80";
  return port === "*" || (isPort ?? standard) === (port ?? standard);
}
