import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pageAt, ROOT } from "./pages";
import { MARKERS, MOST_WORDS, markedIn, sentencesOf, wordsIn } from "./wording";

const pagesIn = (folder: string, name = /\.md$/) =>
  readdirSync(join(ROOT, folder))
    .filter((file) => name.test(file))
    .map((file) => `${folder}/${file}`);

/** The pages for people who change this package. */
const CONTRIBUTORS = /^docs\/(?:architecture|wire|reliability(?:-table|-real)?)\.md$/;

/** The pages of each group. */
const PAGES: Readonly<Record<keyof typeof BUDGETS, readonly string[]>> = {
  start: ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"],
  guides: pagesIn("docs").filter((page) => !CONTRIBUTORS.test(page)),
  migration: pagesIn("docs/coming-from"),
  contributors: pagesIn("docs").filter((page) => CONTRIBUTORS.test(page)),
  resources: pagesIn("docs/reference", /^[a-z]+-[A-Z].*\.md$/),
  functions: pagesIn("docs/reference", /-functions\.md$/),
  reference: pagesIn("docs/reference", /^(?:README|configuration|rights)\.md$/),
};

/**
 * The most sentences of a group that may have a marker, and the most that may be too long. Lower a number when the count
 * falls, and never raise one.
 */
const BUDGETS = {
  start: { marked: 70, long: 8 },
  guides: { marked: 424, long: 78 },
  migration: { marked: 71, long: 6 },
  contributors: { marked: 60, long: 19 },
  resources: { marked: 582, long: 39 },
  functions: { marked: 502, long: 3 },
  reference: { marked: 52, long: 5 },
} as const;

const groups = Object.keys(BUDGETS) as (keyof typeof BUDGETS)[];

describe.each(groups)("pages of the group %s", (group) => {
  it("have no more sentences with a marker than their budget", () => {
    const marked = PAGES[group].flatMap((page) =>
      markedIn(pageAt(page)).map(({ text, markers }) => `${page}: ${text} [${markers.join(", ")}]`),
    );
    if (marked.length > BUDGETS[group].marked) console.error(marked.join("\n"));
    expect(marked.length).toBeLessThanOrEqual(BUDGETS[group].marked);
  });

  it("have no more long sentences than their budget", () => {
    const long = PAGES[group].flatMap((page) =>
      sentencesOf(pageAt(page))
        .filter((sentence) => wordsIn(sentence) > MOST_WORDS)
        .map((sentence) => `${page}: ${sentence}`),
    );
    if (long.length > BUDGETS[group].long) console.error(long.join("\n"));
    expect(long.length).toBeLessThanOrEqual(BUDGETS[group].long);
  });
});

describe("markers", () => {
  it.each([
    ["What the service makes stays.", "what or who without a noun"],
    ["A set of which one is lent.", "preposition and relative pronoun"],
    ["The preview says so before it runs.", "a program that tells or says"],
    ["Where the API filters, use it.", "where instead of if"],
    ["A reordered list is no drift.", "no with a noun instead of not"],
    ["It was replaced by another one.", "pronoun without a noun"],
    ["The message stands at the stack.", "spatial verb in a figurative sense"],
    ["The file is read anew each time.", "old adverb"],
    ["Of a removed resource no preview is shown.", "fronted object"],
    ["Whether a delete is forced.", "whether instead of a verb"],
  ])("find the way of writing in: %s", (sentence, name) => {
    expect(markedIn(sentence).flatMap(({ markers }) => markers)).toContain(name);
  });

  it("do not find it in plain sentences, code or headings", () => {
    const page = [
      "# What goes",
      "Quarterdeck reads the object again before each write.",
      "| Name | Description |\n| --- | --- |\n| `what` | The field `stands` is a string. |",
      "```sh\ntell me what stands here\n```",
      "<!-- what is told -->",
    ].join("\n\n");
    expect(markedIn(page)).toEqual([]);
    expect(sentencesOf(page)).toEqual([
      "Quarterdeck reads the object again before each write.",
      "The field `stands` is a string.",
    ]);
  });

  it("have different names", () => {
    expect(new Set(MARKERS.map(({ name }) => name)).size).toBe(MARKERS.length);
  });
});
