import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { COLUMNS } from "../../cli/columns";
import { diagnosisText } from "../../cli/doctor/text";
import type { WatchEvent } from "../../cli/drift";
import { driftText } from "../../cli/drift/text";
import { eventText } from "../../cli/drift/watchText";
import { listText } from "../../cli/list/text";
import { stateText } from "../../cli/state/text";
import { pageAt, WRITTEN } from "../docs/pages";
import { everything, reportOf, verdictOf } from "../drift/reports";

const QUARTERDECK = join(__dirname, "../../cli/quarterdeck.js");
const helpOf = (...args: readonly string[]) =>
  execFileSync(process.execPath, [QUARTERDECK, ...args, "--help"], { encoding: "utf8" });

/** The lines that are too long, except those that consist of one word, or of a label and a command. */
const tooLong = (text: string) =>
  text
    .split("\n")
    .filter((line) => line.length > COLUMNS && /\S\s+\S/.test(line) && !/^ *(Run: |\S+$)/.test(line));

const commands = [...helpOf().matchAll(/^ {2}([a-z]+)(?: \[.*\])? {2,}\S/gm)].map(([, name = ""]) => name);

test("the help of quarterdeck lists the commands", () => {
  expect(commands.sort()).toEqual(["doctor", "drift", "help", "import", "init", "list", "new", "state"]);
});

test.each(["", ...commands.filter((name) => name !== "help")])(
  "the help of quarterdeck %s fits 80 columns, is capitalized, and has examples and exit codes",
  (name) => {
    const help = helpOf(...(name === "" ? [] : [name]));
    expect(help.split("\n").filter((line) => line.length > COLUMNS)).toEqual([]);
    const [usage = "", description = ""] = help.split("\n\n");
    expect(usage).toMatch(/^Usage: quarterdeck/);
    expect(description).toMatch(/^[A-Z]/);
    const options = [...help.matchAll(/^ {2}(?:-\w, )?--[a-z-]+(?: <.*>)? {2,}(\S.*)$/gm)];
    expect(options.length).toBeGreaterThan(0);
    expect(options.map(([, text = ""]) => text).filter((text) => !/^[A-Z]/.test(text))).toEqual([]);
    expect(help).toMatch(/^Examples:\n(?: {2}.*quarterdeck .*\n)+/m);
    expect(help).toMatch(/^Exit codes:\n {2}0 +[A-Z].*\n(?: +.*\n)* {2}64 +Usage error\n/m);
  },
);

/** Long values without spaces, and long sentences. */
const word = "registry.example.com/".repeat(6);
const sentence = "the server rejected the request ".repeat(6).trim();

test("drift reports fit 80 columns, and contain long values completely", () => {
  const fields = [
    { field: 'spec.taskGroups["web"].tasks["server"].config.image', was: `"${word}1"`, is: `"${word}2"` },
    { field: "spec.priority", was: "50", is: "77", ignored: "baseline" as const },
  ];
  const report = reportOf(
    [
      ...everything.resources,
      verdictOf(20, { verdict: "drifted", fields, name: "a-long-name".repeat(4) }),
      verdictOf(21, { verdict: "unreadable", why: `${sentence}\n  ${sentence}`, settings: sentence }),
    ],
    { stack: "production" },
  );
  const lines = driftText(report, { verbose: true });
  expect(tooLong(lines.join("\n"))).toEqual([]);
  expect(lines[0]).toMatch(/^VERDICT +TYPE +NAME +ID$/);
  const compact = lines.map((line) => line.trim()).join("");
  expect(compact).toContain(`was  "${word}1"is   "${word}2"`);
});

test("watch events fit 80 columns", () => {
  const at = "2030-01-01T12:00:00.000Z";
  const connected = {
    at,
    service: "scheduler",
    settings: "the provider a-provider-with-a-long-name in the state",
  };
  const events: readonly WatchEvent[] = [
    {
      event: "began",
      at,
      stack: "production",
      counts: everything.counts,
      waiting: 640,
      polled: 360,
      interval: 30,
    },
    ...everything.resources.map((report): WatchEvent => ({ event: "resource", ...report, at })),
    { event: "blind", ...connected, since: at, why: sentence },
    { event: "sees", ...connected, since: at, seconds: 1.5 },
    { event: "polling", ...connected, why: sentence },
    { event: "ended", at, counts: everything.counts },
  ];
  const lines = events.flatMap((event) => eventText(event, true));
  expect(tooLong(lines.join("\n"))).toEqual([]);
});

test("lists fit 80 columns, and keep each ID on one line", () => {
  const id = `default/${"a-long-id".repeat(5)}`;
  const object = { type: "workspaces:PrivateRegistryProvider", id, name: "a-long-name" };
  const lines = listText(
    {
      at: "",
      found: [object, { type: "scheduler:Job", id: "default/web", name: "web" }],
      apart: [{ ...object, why: sentence }],
      known: 1,
      absent: [{ of: "secrets:QueueRole", why: sentence }],
      unconfigured: [{ of: "mesh", why: sentence }],
      unread: [{ of: `scheduler:Job ${id}`, why: sentence }],
      unlistable: [{ of: "secrets:QueueConnection", why: sentence }],
      notes: [sentence],
    },
    { verbose: true },
  );
  expect(tooLong(lines.join("\n"))).toEqual([]);
  expect(lines.filter((line) => line.includes(id))).toHaveLength(3);
  expect(lines.filter((line) => /^(FAIL|SKIP|WARN) {2}/.test(line))).toHaveLength(5);
});

test("diagnoses and the records of a state fit 80 columns", () => {
  const finding = {
    about: "scheduler",
    what: "token",
    status: "FAIL",
    message: sentence,
    advice: sentence,
  } as const;
  const diagnosis = diagnosisText({ at: "", findings: [{ ...finding, command: `nomad acl ${word}` }] });
  expect(tooLong(diagnosis.join("\n"))).toEqual([]);
  const known = stateText([
    {
      urn: "",
      type: "workspaces:Workspace",
      name: "shop",
      id: "ws-1",
      records: { told: [sentence], sections: [{ what: "last applied", lines: [`description: "${word}"`] }] },
      size: { packed: 10, whole: 20 },
    },
  ]);
  expect(tooLong(known.join("\n"))).toEqual([]);
  expect(known.map((line) => line.trim()).join("")).toContain(`description: "${word}"`);
});

test("the outputs of the command on the pages fit 80 columns", () => {
  const pages = WRITTEN.filter((page) =>
    /^docs\/(doctor|drift|state|secrets-and-state|taking-over|list)\.md$/.test(page),
  );
  const blocks = pages.flatMap((page) =>
    [...pageAt(page).matchAll(/```text\n([\s\S]*?)```/g)].map(([, block = ""]) => block),
  );
  expect(blocks.length).toBeGreaterThan(2);
  expect(blocks.flatMap(tooLong)).toEqual([]);
});

test.each([
  ["colors a terminal", {}, true],
  ["does not color a terminal if NO_COLOR is set", { NO_COLOR: "1" }, false],
])("the text %s", (_, env, isColored) => {
  // A terminal, as Node represents it.
  const script = `
    process.stdout.isTTY = true;
    process.stdout.getColorDepth = require("node:tty").WriteStream.prototype.getColorDepth;
    const { statusLines } = require(${JSON.stringify(join(__dirname, "../../dist/cli/status.js"))});
    console.log(statusLines({ status: "FAIL", what: "token", message: "refused" }, { width: 5 }).join("\\n"));`;
  const printed = execFileSync(process.execPath, ["-e", script], {
    encoding: "utf8",
    env: { PATH: process.env.PATH, TERM: "xterm-256color", ...env },
  });
  expect(printed.includes("\u001b[31m")).toBe(isColored);
  expect(printed).toContain("refused");
});
