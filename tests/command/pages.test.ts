import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(__dirname, "../..");
const docs = join(ROOT, "docs");
const pages = readdirSync(docs).filter((file) => file.endsWith(".md"));

/** The options in the help of a subcommand. */
const known = new Map<string, readonly string[]>();
function optionsOf(subcommand: string): readonly string[] {
  const existing = known.get(subcommand);
  if (existing) return existing;
  const help = execFileSync(process.execPath, [join(ROOT, "cli/quarterdeck.js"), subcommand, "--help"], {
    encoding: "utf8",
  });
  const options = [...help.matchAll(/^ +(?:-\w, )?(--[a-z-]+)/gm)].map(([, option = ""]) => option);
  known.set(subcommand, options);
  return options;
}

/** The number of calls of the command on a page, and the calls with an unknown option. */
function unknownOptions(text: string): { readonly calls: number; readonly unknown: readonly string[] } {
  const calls = [...text.matchAll(/quarterdeck (new|doctor|drift|list|import|state|init)((?: [^#\n`|]*)?)/g)];
  const unknown = calls.flatMap(([call, subcommand = "", args = ""]) =>
    [...args.matchAll(/--[a-z][a-z-]+/g)]
      .filter(([option]) => !optionsOf(subcommand).includes(option))
      .map(() => call),
  );
  return { calls: calls.length, unknown };
}

test("no page calls the command with an unknown option", () => {
  const found = pages.map((page) => unknownOptions(readFileSync(join(docs, page), "utf8")));
  expect(found.flatMap(({ unknown }) => unknown)).toEqual([]);
  expect(found.reduce((sum, { calls }) => sum + calls, 0)).toBeGreaterThan(30);
});

test("docs/taking-over.md mentions every option of import", () => {
  const page = readFileSync(join(docs, "taking-over.md"), "utf8");
  const own = optionsOf("import").filter((option) => !["--help", "--stack", "--state"].includes(option));
  expect(own.filter((option) => !page.includes(option))).toEqual([]);
  expect(own.length).toBeGreaterThan(4);
});
