// Links inside the built site.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ORIGIN = "http://site.invalid";

/** The links of the pages that lead to no file or heading of the site. VitePress checks pages only, and not anchors. */
export function brokenLinks(folder, pages) {
  const contents = new Map(pages.map((page) => [`/${page}`, readFileSync(join(folder, page), "utf8")]));
  const anchors = new Map(
    [...contents].map(([page, html]) => [
      page,
      new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)),
    ]),
  );
  return [...contents].flatMap(([page, html]) =>
    [...html.matchAll(/<a\s[^>]*?href="([^"]+)"/g)]
      .map(([, href]) => href.replaceAll("&amp;", "&"))
      .filter((href) => !leadsSomewhere(new URL(href, ORIGIN + page), anchors))
      .map((href) => `${page}: ${href}`),
  );
}

function leadsSomewhere({ origin, pathname, hash }, anchors) {
  if (origin !== ORIGIN) return true;
  const path = decodeURIComponent(pathname).replace(/\/$/, "/index.html");
  const ids = anchors.get(path) ?? anchors.get(`${path}.html`);
  return ids !== undefined && (hash === "" || ids.has(decodeURIComponent(hash.slice(1))));
}
