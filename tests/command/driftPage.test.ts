import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { WatchEvent } from "../../cli/drift";
import * as entry from "../../cli/drift";
import { WORDS } from "../../cli/drift/report";
import { driftText } from "../../cli/drift/text";
import { eventText } from "../../cli/drift/watchText";
import { reportOf, verdictOf } from "../drift/reports";

const page = readFileSync(join(__dirname, "../../docs/drift.md"), "utf8");

/** The code blocks of the page in a language. */
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, "g"))].map(([, text = ""]) => text);

/** The help of the command. */
const help = execFileSync(
  process.execPath,
  [join(__dirname, "../../cli/quarterdeck.js"), "drift", "--help"],
  {
    encoding: "utf8",
  },
);

test("docs/drift.md uses only existing options of drift, and mentions each of them", () => {
  const commands = [...page.matchAll(/npx quarterdeck drift([^#\n`|]*)/g)].map(([, args = ""]) => args);
  expect(commands.length).toBeGreaterThan(10);
  const used = [...commands.join(" ").matchAll(/--[a-z-]+/g)].map(([option]) => option);
  const options = [...help.matchAll(/^ +(?:-\w, )?(--[a-z-]+)/gm)].map(([, option = ""]) => option);
  expect(used.filter((option) => !options.includes(option))).toEqual([]);
  expect(options.length).toBeGreaterThan(9);
  expect(options.filter((option) => option !== "--help" && !page.includes(option))).toEqual([]);
});

test("the examples in docs/drift.md equal the output of the command", () => {
  const resources = [
    verdictOf(1, {
      name: "web",
      id: "default/web",
      verdict: "drifted",
      fields: [{ field: "spec.priority", was: "50", is: "77" }],
      when: "2030-01-01T09:15:00.000Z",
    }),
    verdictOf(2, {
      type: "mesh:ServiceDefaults",
      name: "api",
      id: "dc1/default/service-defaults/api",
      verdict: "missing",
    }),
    ...Array.from({ length: 998 }, (_, number) => verdictOf(number)),
  ];
  const report = reportOf(resources, { stack: "production", requests: 219, seconds: 1.9 });
  const job = verdictOf(1, { name: "web", id: "default/web" });
  const drifted = { verdict: "drifted", fields: [{ field: "spec.priority", was: "50", is: "77" }] } as const;
  const events: readonly WatchEvent[] = [
    {
      event: "began",
      at: "2030-01-01T12:00:00.000Z",
      stack: "production",
      counts: { "in sync": 1000, drifted: 0, missing: 0, unreadable: 0, ignored: 0 },
      waiting: 640,
      polled: 360,
      interval: 30,
    },
    {
      ...job,
      ...drifted,
      event: "resource",
      at: "2030-01-01T12:04:31.000Z",
      when: "2030-01-01T12:04:31.000Z",
    },
    { ...job, event: "resource", at: "2030-01-01T12:05:10.000Z", verdict: "in sync" },
  ];
  const printed = [driftText(report, {}), events.flatMap((event) => eventText(event, false))];
  expect(blocks("text")).toEqual(printed.map((lines) => `${lines.join("\n")}\n`));
});

test("docs/drift.md documents every verdict and every exit code", () => {
  const table = (heading: string) => {
    const [, section = ""] = page.split(`## ${heading}\n`);
    return [...(section.split("\n## ")[0] ?? "").matchAll(/^\| ([^|]+?) \|/gm)]
      .map(([, cell]) => cell)
      .slice(2);
  };
  expect(table("Verdicts").sort()).toEqual([...WORDS].sort());
  expect(table("Exit codes").sort()).toEqual(["0", "1", "2", "3", "64"]);
  for (const status of table("Exit codes"))
    expect(help.split("Exit codes:")[1]).toMatch(new RegExp(`^ +${status} +[A-Z]`, "m"));
});

test("the program in docs/drift.md imports existing exports", () => {
  const [program = ""] = blocks("ts");
  const [, names = ""] = /import \{ (.*) \} from "pulumi-quarterdeck\/drift"/.exec(program) ?? [];
  expect(names.split(", ").filter((name) => !(name in entry))).toEqual([]);
  expect(names.split(", ").length).toBeGreaterThan(3);
});
