import fc from "fast-check";
import {
  baselineIn,
  ignoreRule,
  ignoreRules,
  isChosen,
  withBaseline,
  withIgnored,
} from "../../cli/drift/choice";
import { isLike } from "../../cli/drift/glob";
import { countsOf, exitCodeOf, type ResourceReport } from "../../cli/drift/report";
import { everything, reportOf, reports, verdictOf } from "./reports";

const drifted = (...fields: readonly string[]): ResourceReport =>
  verdictOf(1, { verdict: "drifted", fields: fields.map((field) => ({ field, was: "1", is: "2" })) });

describe("patterns", () => {
  test("match the same strings as the equivalent regular expression", () => {
    const parts = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 8 });
    fc.assert(
      fc.property(parts, fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 }), (pattern, text) => {
        expect(isLike(pattern, text)).toBe(new RegExp(`^${pattern.replace(/\*+/g, ".*")}$`).test(text));
      }),
      { numRuns: 1000 },
    );
  });

  test("with many stars read each character of the text at most once per pattern character", () => {
    const [pattern, text] = [`${"*a".repeat(50)}b`, "a".repeat(10_000)];
    let visits = 0;
    const counted = new Proxy(Object(text), {
      get: (whole, key) => {
        if (key !== "length") visits += 1;
        return Reflect.get(whole, key, whole);
      },
    });
    expect(isLike(pattern, counted)).toBe(false);
    expect(visits).toBeLessThanOrEqual(pattern.length * text.length);
  });
});

describe("ignore rules", () => {
  test.each([
    ["scheduler:Job:spec.priority", "spec.priority", true],
    ["scheduler:Job:spec", "spec.priority", true],
    ["scheduler:Job:spec.taskGroups[*].count", 'spec.taskGroups["web"].count', true],
    ["scheduler:*:spec", "spec.priority", true],
    ["*:spec.priority", "spec.priority", true],
    ["scheduler:Job:spec.prio", "spec.priority", false],
    ["scheduler:Job:priority", "spec.priority", false],
    ["mesh:ConfigEntry:spec", "spec.priority", false],
  ])("%s ignores the field %s: %s", (rule, field, isIgnored) => {
    const { resources, counts } = withIgnored(reportOf([drifted(field)]), [ignoreRule(rule)]);
    expect(resources[0]?.verdict).toBe(isIgnored ? "ignored" : "drifted");
    expect(counts).toEqual(countsOf(resources));
  });

  test.each(["", "spec", "scheduler:Job", "scheduler:Job:", ":Job:spec", "*:"])("%j is rejected", (text) => {
    expect(() => ignoreRule(text)).toThrow(/is not a rule\. Examples: scheduler:Job:spec\.priority/);
  });

  test("name a known type", () => {
    expect(() => ignoreRule("scheduler:Jbo:spec")).toThrow(
      "names scheduler:Jbo, which is no type of this package",
    );
    expect(ignoreRule("scheduler:J*:spec")).toEqual({ type: "scheduler:J*", field: "spec" });
  });

  test("leave other fields drifted, and do not affect missing or unreadable resources", () => {
    const { resources } = withIgnored(reportOf([drifted("a", "b")]), [ignoreRule("*:a")]);
    expect(resources[0]).toMatchObject({
      verdict: "drifted",
      fields: [{ ignored: "rule" }, { field: "b" }],
    });
    expect(resources[0]?.fields?.[1]?.ignored).toBeUndefined();
    const others = everything.resources.filter(
      ({ verdict }) => verdict === "missing" || verdict === "unreadable",
    );
    expect(withIgnored(reportOf(others), [ignoreRule("*:*")]).resources).toEqual(others);
  });

  test("are read from a file with one rule per line, and an invalid rule is reported with its line number", () => {
    const text = "# ours\r\n\r\nscheduler:Job:spec.priority\n  *:tags  \n";
    expect(ignoreRules(text)).toEqual([
      { type: "scheduler:Job", field: "spec.priority" },
      { type: "*", field: "tags" },
    ]);
    expect(() => ignoreRules("# one\nspec\n")).toThrow(/^line 2: "spec" is not a rule/);
  });
});

describe("a baseline", () => {
  test("of the same report accepts everything except masked values and unreadable resources", () => {
    fc.assert(
      fc.property(reports, (report) => {
        const known = withBaseline(report, baselineIn(JSON.stringify(report)));
        for (const verdict of known.resources) {
          if (verdict.verdict === "drifted")
            expect(
              verdict.fields?.some(({ is, ignored }) => ignored === undefined && is.includes("[secret]")),
            ).toBe(true);
          expect(verdict.verdict).not.toBe("missing");
        }
        expect(known.counts.unreadable).toBe(report.counts.unreadable);
      }),
    );
    expect(withBaseline(everything, everything).counts).toMatchObject({
      drifted: 1,
      missing: 0,
      unreadable: 1,
    });
  });

  test("that is written while a baseline is applied accepts the same drift", () => {
    const once = withBaseline(everything, everything);
    expect(withBaseline(everything, baselineIn(JSON.stringify(once)))).toEqual(once);
  });

  test("does not accept another value, another field, another resource or another verdict", () => {
    const was = reportOf([drifted("a")]);
    const changed = reportOf([
      verdictOf(1, { verdict: "drifted", fields: [{ field: "a", was: "1", is: "3" }] }),
    ]);
    expect(exitCodeOf(withBaseline(was, was))).toBe(0);
    expect(exitCodeOf(withBaseline(changed, was))).toBe(2);
    expect(exitCodeOf(withBaseline(reportOf([drifted("b")]), was))).toBe(2);
    expect(exitCodeOf(withBaseline(reportOf([{ ...drifted("a"), urn: "urn:other" }]), was))).toBe(2);
    expect(exitCodeOf(withBaseline(reportOf([verdictOf(1, { verdict: "missing" })]), was))).toBe(2);
  });

  test.each([
    "",
    "[]",
    "{}",
    '{"resources":[1]}',
    '{"resources":[{"urn":"u","verdict":"drifted","fields":[{}]}]}',
    "null",
  ])("with the text %j is rejected", (text) =>
    expect(() => baselineIn(text)).toThrow(
      /the baseline is not (valid JSON|a drift report)\.\nCreate a baseline with: quarterdeck drift --json > FILE/,
    ),
  );
});

test("--only selects resources by type, name, ID or URN, and all resources are selected without it", () => {
  const one = verdictOf(1);
  expect(
    [[], ["scheduler:*"], ["app-1"], ["default/*"], ["*::app-1"], ["x", "app-1"]].map((only) =>
      isChosen(only, one),
    ),
  ).toEqual(Array(6).fill(true));
  expect([["app"], ["mesh:*"], ["App-1"]].map((only) => isChosen(only, one))).toEqual([false, false, false]);
});

test("the exit code is 3 for an unreadable resource, else 2 for a drifted or missing one, else 0", () => {
  const status = (...words: readonly ResourceReport["verdict"][]) =>
    exitCodeOf(reportOf(words.map((verdict, index) => verdictOf(index, { verdict }))));
  expect([
    status(),
    status("in sync", "ignored"),
    status("drifted"),
    status("missing"),
    status("unreadable", "drifted"),
  ]).toEqual([0, 0, 2, 2, 3]);
});

test("a drifted resource without drifted fields cannot be ignored by a rule or a baseline", () => {
  const open = reportOf([
    verdictOf(1, { verdict: "drifted", fields: [], why: "the last write is incomplete" }),
  ]);
  expect(withIgnored(open, [ignoreRule("*:*")])).toEqual(open);
  expect(exitCodeOf(withBaseline(open, open))).toBe(2);
});
