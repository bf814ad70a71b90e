import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pageAt, ROOT } from "./pages";

const page = pageAt("docs/troubleshooting.md");

/** The sources of the errors that users see. */
const sources = ["provider", "cli"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(join(ROOT, folder, file), "utf8")),
);

/** Internal errors, and what happens instead of printing them. */
const WITHIN: Readonly<Record<string, string>> = {
  NotSent: "the write loop reads again",
  ExchangeFailure: "the client reports what it means for the request",
  ActionableError: "the base class",
  NothingToList: "an empty list",
  MissingObject: "an import prints its message; a list or a migration leaves the object out",
};

const classes = sources.flatMap((text) =>
  [...text.matchAll(/class (\w+) extends (?:Error|\w+Error|Unauthenticated)\b/g)].map(
    ([, name = ""]) => name,
  ),
);

test("docs/troubleshooting.md lists every error that a user can see", () => {
  expect(classes.length).toBeGreaterThan(25);
  expect(Object.keys(WITHIN).filter((name) => !classes.includes(name))).toEqual([]);
  expect(classes.filter((name) => !(name in WITHIN) && !page.includes(`\`${name}\``))).toEqual([]);
});

/** The rows of the tables: the error's name, and its quoted messages. */
const rows = [...page.matchAll(/^\| `(\w+)` \| ([^|]+) \| [^|]+ \| [^|]+ \|$/gm)].map(
  ([, name = "", words = ""]) => ({
    name,
    words: [...words.matchAll(/`([^`]+)`/g)].map(([, quoted = ""]) => quoted),
  }),
);

test.each(rows)(
  "the page lists $name, which exists, with messages that the code contains",
  ({ name, words }) => {
    expect(classes).toContain(name);
    expect(words.filter((quoted) => !sources.some((text) => text.includes(quoted)))).toEqual([]);
  },
);

test("the page quotes more than 20 messages", () => {
  expect(rows.flatMap(({ words }) => words).length).toBeGreaterThan(20);
});
