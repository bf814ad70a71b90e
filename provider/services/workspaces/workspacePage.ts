import { isObject, type Observation, parseBaseUrl, type Site } from "../../core";

/** A workspace with the URL of its web page: its link `self-html`, resolved against the server's address if it is a path. */
export function withPage(
  body: Observation["body"],
  { settings }: Pick<Site, "settings">,
): Observation["body"] {
  const page = isObject(body.links) ? body.links["self-html"] : undefined;
  if (typeof page !== "string" || page === "" || typeof settings.address !== "string") return body;
  const { origin } = parseBaseUrl(settings.address).url;
  return URL.canParse(page, origin) ? { ...body, "html-url": new URL(page, origin).href } : body;
}
