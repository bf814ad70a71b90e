import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pageAt, ROOT } from "./pages";

const page = pageAt("docs/troubleshooting.md");

/** The text of what a user's errors are made of. */
const sources = ["provider", "cli"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(join(ROOT, folder, file), "utf8")),
);

/** Errors that nobody is shown, and by what they are told. */
const WITHIN: Readonly<Record<string, string>> = {
  NotSent: "the write loop reads again",
  ExchangeFailure: "the client says what it means for the request",
  ActionableError: "what all of them are",
  NothingToList: "an empty list",
};

const classes = sources.flatMap((text) =>
  [...text.matchAll(/class (\w+) extends (?:Error|\w+Error|Unauthenticated)\b/g)].map(
    ([, name = ""]) => name,
  ),
);

test("every error that a person may be shown is on the page of troubleshooting", () => {
  expect(classes.length).toBeGreaterThan(25);
  expect(Object.keys(WITHIN).filter((name) => !classes.includes(name))).toEqual([]);
  expect(classes.filter((name) => !(name in WITHIN) && !page.includes(`\`${name}\``))).toEqual([]);
});

/** The rows of a table: the error's name, the words that tell it, where it has a column for them. */
const rows = [...page.matchAll(/^\| `(\w+)` \| ([^|]+) \| [^|]+ \| [^|]+ \|$/gm)].map(
  ([, name = "", words = ""]) => ({
    name,
    words: [...words.matchAll(/`([^`]+)`/g)].map(([, quoted = ""]) => quoted),
  }),
);

test.each(rows)("the page names $name, which there is, by words that the code says", ({ name, words }) => {
  expect(classes).toContain(name);
  expect(words.filter((quoted) => !sources.some((text) => text.includes(quoted)))).toEqual([]);
});

test("the page says words of most", () => {
  expect(rows.flatMap(({ words }) => words).length).toBeGreaterThan(20);
});
