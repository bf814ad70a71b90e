/** Masks the values of headers with a token or a password; a scheme such as `Bearer` stays. */
export function maskHeaders<Value>(headers: Readonly<Record<string, Value>>): Record<string, Value | string> {
  const shown: Record<string, Value | string> = {};
  for (const [name, value] of Object.entries(headers)) {
    shown[name] = isSecret(name) ? `${schemeOf(name, value)}${MASK}` : value;
  }
  return shown;
}

/** The replacement of a token. */
export const MASK = "[masked]";

function isSecret(name: string): boolean {
  const known = name.toLowerCase();
  return known.endsWith("-token") || KNOWN.has(known);
}

const KNOWN = new Set(["authorization", "proxy-authorization", "cookie"]);

function schemeOf(name: string, value: unknown): string {
  if (!name.toLowerCase().endsWith("authorization") || typeof value !== "string") return "";
  return /^[A-Za-z]+ (?=\S)/.exec(value)?.[0] ?? "";
}
