import { existsSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { pageAt, ROOT, WRITTEN } from "./pages";

/** The anchor of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const anchorsOn = (path: string) =>
  [...pageAt(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));

const HOME = /^https:\/\/github\.com\/quarterdeck-iac\/pulumi-quarterdeck\/(?:blob|tree)\/main\//;

/** The target of a link in this repository, or undefined for a link to another site. */
function leadsTo(page: string, link: string): { readonly file: string; readonly anchor: string } | undefined {
  const [target = "", anchor = ""] = link.replace(HOME, "/").split("#");
  if (/^[a-z]+:/.test(target)) return undefined;
  const file = target === "" ? page : target.startsWith("/") ? target.slice(1) : join(dirname(page), target);
  return { file, anchor };
}

test.each(WRITTEN)("every link of %s leads to an existing file and heading", (page) => {
  const links = [...pageAt(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  const broken = links.filter((link) => {
    const there = leadsTo(page, link);
    if (there === undefined) return false;
    if (!existsSync(join(ROOT, there.file))) return true;
    return there.anchor !== "" && !anchorsOn(there.file).includes(there.anchor);
  });
  expect(broken).toEqual([]);
});

/** The pages that an index does not link. */
function missingIn(index: string, pages: readonly string[]): readonly string[] {
  const text = pageAt(index);
  return pages.filter(
    (page) => page !== index && !text.includes(`(${posix.relative(posix.dirname(index), page)}`),
  );
}

test("docs/README.md links every handwritten page, and README.md links docs/README.md", () => {
  const decisions = WRITTEN.filter((page) => page.startsWith("docs/decisions/"));
  const named = WRITTEN.filter((page) => page.startsWith("docs/") && !decisions.includes(page));
  expect(missingIn("docs/README.md", [...named, "docs/decisions/README.md"])).toEqual([]);
  expect(missingIn("docs/decisions/README.md", decisions)).toEqual([]);
  expect(pageAt("README.md")).toContain("/docs/README.md)");
  expect(named.length).toBeGreaterThan(20);
});
