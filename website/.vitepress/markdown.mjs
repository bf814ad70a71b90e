// Renders the Markdown of GitHub: anchors, links to files of the repository, and text that looks like a Vue template.
import { existsSync, statSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { PAGES, ROOT, sitePath } from "./pages.mjs";

export const REPOSITORY = "https://github.com/quarterdeck-iac/pulumi-quarterdeck";

const OWN_FILE = new RegExp(`^${REPOSITORY}/(?:blob|tree)/main/`);

/** The anchor of a heading on GitHub. */
export const slugify = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** The address of a link on the site: a page, or a file of the repository on GitHub. */
function addressOf(href, page) {
  const [target, anchor] = href.replace(OWN_FILE, "/").split("#");
  if (target === "" || /^[a-z]+:/.test(target)) return href;
  const path = target.startsWith("/") ? target.slice(1) : posix.join(posix.dirname(page), target);
  const suffix = anchor === undefined ? "" : `#${anchor}`;
  if (PAGES.includes(path)) return `/${sitePath(path)}${suffix}`;
  // The dead-link check of VitePress reports a missing page of docs/.
  if (!existsSync(join(ROOT, path))) return href;
  const kind = statSync(join(ROOT, path)).isDirectory() ? "tree" : "blob";
  return `${REPOSITORY}/${kind}/main/${path}${suffix}`;
}

/** A markdown-it plugin. */
export function github(md) {
  md.core.ruler.push("repository links", ({ tokens, env }) => {
    const page = relative(ROOT, env.realPath ?? env.path)
      .split(sep)
      .join("/");
    for (const token of tokens.flatMap(({ children }) => children ?? []))
      if (token.type === "link_open") token.attrSet("href", addressOf(token.attrGet("href"), page));
  });
  const renderPage = md.render.bind(md);
  md.render = (...args) => renderPage(...args).replaceAll("{{", "&#123;&#123;");
  // The pages contain comments, and no tags: `<name>` is text.
  const render = (tokens, index) => {
    const { content } = tokens[index];
    return /^\s*<[a-z/]/i.test(content) ? md.utils.escapeHtml(content) : content;
  };
  md.renderer.rules.html_block = render;
  md.renderer.rules.html_inline = render;
}
