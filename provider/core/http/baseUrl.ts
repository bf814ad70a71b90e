import { withoutTrailing } from "../value/scalar";

/** The location of a server: its origin, and the path under which it is mounted. */
export interface BaseUrl {
  readonly url: URL;
  readonly basePath: string;
  /** `Basic …` from the address's userinfo. */
  readonly authorization: string | undefined;
}

/**
 * Parses an address from the configuration.
 * @throws TypeError that names the problem without quoting the address, which may contain a password.
 */
export function parseBaseUrl(text: string): BaseUrl {
  if (!URL.canParse(text))
    throw new TypeError(text === "" ? "the address is empty" : "the address is no URL");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new TypeError("the address begins with neither http:// nor https://");
  }
  if (url.search !== "" || url.hash !== "") throw new TypeError("the address has a query or a fragment");
  const userinfo = `${unescaped(url.username)}:${unescaped(url.password)}`;
  return {
    url,
    basePath: withoutTrailing(url.pathname, "/"),
    authorization: userinfo === ":" ? undefined : `Basic ${Buffer.from(userinfo).toString("base64")}`,
  };
}

/** The secrets in an address: its password, as written and percent-decoded. */
export function urlSecrets(text: string | undefined): string[] {
  const address = text !== undefined && /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text ?? ""}`;
  if (!URL.canParse(address)) return [];
  const { password } = new URL(address);
  return password === "" ? [] : [password, unescaped(password)];
}

/** True if a URL's host is this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname);
}

/** The origin of an address; undefined if it is not a valid address. */
export function originOf(address: string): string | undefined {
  try {
    return parseBaseUrl(address).url.origin;
  } catch {
    return undefined;
  }
}

/** True if an address is not https and the other one is. */
export function isLessSafe(address: string, than: string): boolean {
  const isSafe = (one: string) => originOf(one)?.startsWith("https:") ?? false;
  return isSafe(than) && !isSafe(address);
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
