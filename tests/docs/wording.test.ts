import { globSync, readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { pageAt, ROOT } from "./pages";
import { MARKERS, MOST_WORDS, markedIn, sentencesOf, wordsIn } from "./wording";

const pagesIn = (folder: string, name = /\.md$/) =>
  readdirSync(join(ROOT, folder))
    .filter((file) => name.test(file))
    .map((file) => `${folder}/${file}`);

/** The pages for people who change this package. */
const CONTRIBUTORS = /^docs\/(?:architecture|wire|reliability(?:-table|-real)?)\.md$/;

/** The pages of each group. */
const PAGES: Readonly<Record<keyof typeof LIMITS, readonly string[]>> = {
  start: ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "website/index.md"],
  guides: pagesIn("docs").filter((page) => !CONTRIBUTORS.test(page)),
  migration: pagesIn("docs/coming-from"),
  contributors: pagesIn("docs").filter((page) => CONTRIBUTORS.test(page)),
  resources: pagesIn("docs/reference", /^[a-z]+-[A-Z].*\.md$/),
  functions: pagesIn("docs/reference", /-functions\.md$/),
  reference: pagesIn("docs/reference", /^(?:README|configuration|permissions)\.md$/),
};

/** The most sentences with a marker, in percent of a group, and the most sentences that are too long. */
const LIMITS = {
  start: { percent: 3, long: 1 },
  guides: { percent: 2, long: 0 },
  migration: { percent: 3, long: 0 },
  contributors: { percent: 2, long: 0 },
  resources: { percent: 2, long: 18 },
  functions: { percent: 2, long: 2 },
  reference: { percent: 4, long: 2 },
} as const;

const groups = Object.keys(LIMITS) as (keyof typeof LIMITS)[];

describe.each(groups)("pages of the group %s", (group) => {
  it("have no more sentences with a marker than their limit", () => {
    const marked = PAGES[group].flatMap((page) =>
      markedIn(pageAt(page)).map(({ text, markers }) => `${page}: ${text} [${markers.join(", ")}]`),
    );
    const all = PAGES[group].flatMap((page) => sentencesOf(pageAt(page)));
    if ((100 * marked.length) / all.length > LIMITS[group].percent) console.error(marked.join("\n"));
    expect((100 * marked.length) / all.length).toBeLessThanOrEqual(LIMITS[group].percent);
  });

  it("have no more long sentences than their limit", () => {
    const long = PAGES[group].flatMap((page) =>
      sentencesOf(pageAt(page))
        .filter((sentence) => wordsIn(sentence) > MOST_WORDS)
        .map((sentence) => `${page}: ${sentence}`),
    );
    if (long.length > LIMITS[group].long) console.error(long.join("\n"));
    expect(long.length).toBeLessThanOrEqual(LIMITS[group].long);
  });
});

test("no page has a marker in more than 12 % of its sentences, and in more than two", () => {
  const worst = Object.values(PAGES)
    .flat()
    .filter((page) => {
      const marked = markedIn(pageAt(page)).length;
      return marked > 2 && marked / sentencesOf(pageAt(page)).length > 0.12;
    });
  expect(worst).toEqual([]);
});

/** The strings of the sources that people read: at least four words. */
function messagesOf(file: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    const text = ts.isStringLiteralLike(node)
      ? node.text
      : ts.isTemplateExpression(node)
        ? node.getText().replaceAll(/\$\{[^}]*\}/g, "`x`")
        : "";
    if (/(?:[A-Za-z'-]+ ){3}[A-Za-z]/.test(text)) found.push(text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, pageAt(file), ts.ScriptTarget.Latest, true));
  return found;
}

/** Usual in descriptions: "the port on which the gateway listens". */
const USUAL = "preposition and relative pronoun";

test("messages and descriptions of the sources have at most ten markers", () => {
  const files = globSync("{provider,cli,sdk/runtime}/**/*.ts", { cwd: ROOT });
  const messages = files.flatMap((file) => messagesOf(file).map((text) => ({ file, text })));
  const marked = messages.flatMap(({ file, text }) => {
    const prose = text.replaceAll(/`[^`]*`/g, "`x`");
    const markers = MARKERS.filter(({ name, pattern }) => name !== USUAL && pattern.test(prose));
    return markers.length === 0 ? [] : [`${file}: ${text} [${markers.map(({ name }) => name).join(", ")}]`];
  });
  expect(messages.length).toBeGreaterThan(2000);
  if (marked.length > 10) console.error(marked.join("\n"));
  expect(marked.length).toBeLessThanOrEqual(10);
});

/** Spellings and words that the project does not use in prose, each with the one that it uses. */
const AVOIDED: readonly (readonly [RegExp, string])[] = [
  [
    /(?:authori|canonicali|capitali|customi|finali|initiali|normali|optimi|organi|parameteri)s(?:e|ing|ation)/i,
    "-ize",
  ],
  [/(?:recogni|seriali|summari|synchroni)s(?:e|ing|ation)/i, "-ize"],
  [/behaviour|colour|favour|honour|neighbour/i, "-or"],
  [/\b(?:cancell|labell|modell|signall|travell)(?:ed|ing)\b/i, "one l"],
  [/\b(?:afterwards|catalogue|judgement|learnt|misspelt)\b/i, "American spelling"],
  [/\bconfig entr(?:y|ies)\b/i, "configuration entry"],
  [/\brights\b/i, "permissions"],
  [/(?<=\s)ids?(?=[\s.,;!?]|$)/, "ID"],
];

/** The sentence with each better word, for the words that it should not contain outside code. */
function avoidedIn(text: string): string[] {
  const prose = text.replaceAll(/`[^`]*`/g, "`x`");
  return AVOIDED.filter(([pattern]) => pattern.test(prose)).map(([, instead]) => `${text} [${instead}]`);
}

test("pages and messages use American spelling and one word for each thing", () => {
  const pages = Object.values(PAGES).flat();
  const files = globSync("{provider,cli,sdk/runtime}/**/*.ts", { cwd: ROOT });
  const avoided = [
    ...pages.flatMap((page) => sentencesOf(pageAt(page)).flatMap(avoidedIn)),
    ...files.flatMap((file) => messagesOf(file).flatMap(avoidedIn)),
  ];
  expect(avoided).toEqual([]);
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
