import { existsSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { pageAt, ROOT, WRITTEN } from "./pages";

/** A heading as a link names it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const anchorsOn = (path: string) =>
  [...pageAt(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));

const HOME = /^https:\/\/github\.com\/quarterdeck-iac\/pulumi-quarterdeck\/(?:blob|tree)\/main\//;

/** Where a link leads in this repository; undefined where it leads abroad. */
function leadsTo(page: string, link: string): { readonly file: string; readonly anchor: string } | undefined {
  const [target = "", anchor = ""] = link.replace(HOME, "/").split("#");
  if (/^[a-z]+:/.test(target)) return undefined;
  const file = target === "" ? page : target.startsWith("/") ? target.slice(1) : join(dirname(page), target);
  return { file, anchor };
}

test.each(WRITTEN)("every link of %s leads to what is there, headings included", (page) => {
  const links = [...pageAt(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  const broken = links.filter((link) => {
    const there = leadsTo(page, link);
    if (there === undefined) return false;
    if (!existsSync(join(ROOT, there.file))) return true;
    return there.anchor !== "" && !anchorsOn(there.file).includes(there.anchor);
  });
  expect(broken).toEqual([]);
});

/** The pages below a folder that its index does not name. */
function missingIn(index: string, pages: readonly string[]): readonly string[] {
  const text = pageAt(index);
  return pages.filter(
    (page) => page !== index && !text.includes(`(${posix.relative(posix.dirname(index), page)}`),
  );
}

test("the index names every page of docs that is written by hand, and the README the index", () => {
  const decisions = WRITTEN.filter((page) => page.startsWith("docs/decisions/"));
  const named = WRITTEN.filter((page) => page.startsWith("docs/") && !decisions.includes(page));
  expect(missingIn("docs/README.md", [...named, "docs/decisions/README.md"])).toEqual([]);
  expect(missingIn("docs/decisions/README.md", decisions)).toEqual([]);
  expect(pageAt("README.md")).toContain("/docs/README.md)");
  expect(named.length).toBeGreaterThan(20);
});
