import { compiled } from "../generate/compiled";
import { blocksOf, pageAt, WRITTEN } from "./pages";

/** Their programs are excerpts, or need another package. */
const EXCERPTS = [
  "docs/coming-from/beside.md",
  "docs/drift.md",
  "testing/engine/README.md",
  "testing/stub/README.md",
];

/** Every complete TypeScript program on a handwritten page: it imports what it uses. */
const programs = WRITTEN.filter((page) => !EXCERPTS.includes(page)).flatMap((page) => {
  const text = pageAt(page);
  return ["ts", "typescript"]
    .flatMap((language) => blocksOf(text, language))
    .filter((block) => /^import .* from "pulumi-quarterdeck/m.test(block))
    .map((block, index) => [`tests/docs/${page.replace(/\W/g, "-")}-${index}.ts`, block] as const);
});

test("every complete TypeScript program on a page compiles", () => {
  expect(programs.map(([path]) => path)).toEqual(
    expect.arrayContaining(["tests/docs/README-md-0.ts", "tests/docs/docs-_index-md-0.ts"]),
  );
  expect(compiled(new Map(programs))).toEqual([]);
});
