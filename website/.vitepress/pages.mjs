// The pages of the site: which files they are, their addresses, and their order in the sidebar.
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

/** Pages of the Pulumi Registry, which renders them with its own templates. */
const REGISTRY = ["docs/_index.md", "docs/installation-configuration.md"];

/** Patterns of the Markdown files that are not pages of the site. */
export const EXCLUDED = [
  "*.md",
  ...readdirSync(ROOT)
    .filter((name) => name !== "docs" && name !== "website")
    .map((name) => `${name}/**`),
  ...REGISTRY,
];

/** Every page of `docs/`. */
export const PAGES = globSync("docs/**/*.md", { cwd: ROOT })
  .filter((page) => !REGISTRY.includes(page))
  .sort();

/** The path of a page on the site. */
export function sitePath(page) {
  if (page === "docs/README.md") return "overview.md";
  return page.replace(/^(?:docs|website)\//, "").replace(/(^|\/)README\.md$/, "$1index.md");
}

/** The title of a page: its first heading, without code marks. */
function titleOf(page) {
  const heading = /^# (.+)$/m.exec(readFileSync(join(ROOT, page), "utf8"))?.[1];
  if (heading === undefined) throw new Error(`${page} has no heading of the first level`);
  return heading.replaceAll("`", "");
}

const item = (page, text = titleOf(page)) => ({
  text,
  link: `/${sitePath(page).replace(/(?:index)?\.md$/, "")}`,
});
const items = (...names) => names.map((name) => item(`docs/${name}.md`));

/** The reference pages of a module. Their titles omit the module and the product, which are the title of the group. */
function moduleItems(module) {
  const shortTitle = (page) =>
    titleOf(page)
      .replace(`${module}.`, "")
      .replace(`${module} functions`, "Functions")
      .replace(/ \([^()]+\)$/, "");
  const pages = PAGES.filter((page) => page.startsWith(`docs/reference/${module}-`));
  const isFunctions = (page) => page.endsWith("-functions.md");
  return [...pages.filter(isFunctions), ...pages.filter((page) => !isFunctions(page))].map((page) =>
    item(page, shortTitle(page)),
  );
}

/** The modules with their products: the headings "module (products)" of the reference. */
function modules() {
  const headings = readFileSync(join(ROOT, "docs/reference/README.md"), "utf8").matchAll(
    /^## (\w+) \((.+)\)$/gm,
  );
  return [...headings].map(([, module, products]) => ({ module, products }));
}

const decisions = () => PAGES.filter((page) => /^docs\/decisions\/\d/.test(page)).map((page) => item(page));

export function sidebar() {
  const groups = [
    { text: "Get started", items: items("README", "install", "resources", "servers") },
    {
      text: "Everyday use",
      items: items(
        "taking-over",
        "migration",
        "previews",
        "previews-in-review",
        "conflicts",
        "replacements",
        "drift",
        "testing",
        "troubleshooting",
      ),
    },
    { text: "CLI", items: items("doctor", "do", "what-it-shows") },
    {
      text: "Operations",
      items: items("logins", "credentials", "secrets-and-state", "clusters", "promises", "delivery"),
    },
    {
      text: "Migrate from Terraform",
      items: ["nomad", "tfe", "vault", "consul", "beside"].map((name) => item(`docs/coming-from/${name}.md`)),
    },
    {
      text: "Reference",
      items: items("reference/README", "reference/configuration", "reference/permissions"),
    },
    ...modules().map(({ module, products }) => ({
      text: `Reference: ${products}`,
      collapsed: true,
      items: moduleItems(module),
    })),
    {
      text: "Contributors",
      collapsed: true,
      items: [
        ...items(
          "architecture",
          "wire",
          "reliability",
          "reliability-table",
          "reliability-real",
          "reference/endpoints",
          "decisions/README",
        ),
        { text: "All decisions", collapsed: true, items: decisions() },
      ],
    },
  ];
  const linked = JSON.stringify(groups);
  const missing = PAGES.filter((page) => !linked.includes(JSON.stringify(item(page).link)));
  if (missing.length > 0) throw new Error(`the sidebar does not contain ${missing.join(", ")}`);
  return groups;
}
