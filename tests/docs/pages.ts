import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const ROOT = resolve(__dirname, "../..");

/** A page of the repository, by its path. */
export const pageAt = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** Every handwritten page; generated pages have their own tests. */
export const WRITTEN: readonly string[] = [
  ...[
    "README.md",
    "CONTRIBUTING.md",
    "website/index.md",
    "testing/README.md",
    "testing/stub/README.md",
    "testing/engine/README.md",
  ],
  ...["docs", "docs/coming-from", "docs/decisions"].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((file) => file.endsWith(".md"))
      .map((file) => `${folder}/${file}`),
  ),
];

/** The code blocks of a page in this language, in order. */
export function blocksOf(text: string, language: string): readonly string[] {
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, tag, block = ""]) =>
    tag === language ? [block] : [],
  );
}

/** The text under a heading, up to the next heading of its level. */
export function underHeading(text: string, heading: string): string {
  const rank = /^#+/.exec(heading)?.[0] ?? "";
  const [, after] = `\n${text}`.split(`\n${heading}\n`);
  if (after === undefined) throw new Error(`there is no heading "${heading}"`);
  return after.split(new RegExp(`\\n#{1,${rank.length}} `))[0] ?? "";
}
