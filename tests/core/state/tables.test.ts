import { z } from "zod";
import { modelOfInputs } from "../../../provider/core/diff/models";
import type { Difference } from "../../../provider/core/diff/threeWay";
import { field } from "../../../provider/core/language/facts";
import { type Field, fieldsOf } from "../../../provider/core/language/fields";
import { typedDocument } from "../../../provider/core/language/typedDocument";
import {
  comparisonTable,
  conflictTable,
  driftTable,
  type Secrecy,
} from "../../../provider/core/state/conflictTable";
import { SecretMap } from "../../../provider/core/state/secretMap";
import type { Json } from "../../../provider/core/value/json";
import { withMetadata } from "../../../provider/core/value/programInputs";
import job from "../../../provider/services/scheduler/job";
import { exampleDefinition } from "../../generate/exampleDefinition";

const lockSchema = z.strictObject({
  name: field(z.string().optional(), { doc: "Its name." }),
  width: field(z.int().optional(), { doc: "Meters." }),
  keepers: field(z.array(z.string()).optional(), { doc: "Who keeps it." }),
  gateCode: field(z.string().optional(), { doc: "What opens it.", secret: true }),
});
const planSchema = z.strictObject({
  locks: field(z.array(lockSchema).optional(), { doc: "The locks." }),
  flags: field(z.array(z.string()).optional(), { doc: "The flags.", unordered: true }),
  note: field(z.string().optional(), { doc: "A note." }),
});
const plan = {
  ...exampleDefinition,
  fields: {
    plan: field(planSchema.optional(), {
      doc: "The plan.",
      document: {
        unordered: ["flags"],
        serverOwned: ["locks.*.stamp"],
        secret: ["locks.*.gate_code", "locks.*.gateCode"],
      },
      spelling: typedDocument(planSchema, "snake"),
    }),
    ships: field(z.array(z.string()).optional(), { doc: "The ships.", additive: true }),
  },
};

const secrecy = (marks: string[] = []): Secrecy => ({
  isSecret: (path) => new SecretMap(plan, withMetadata({}, { secretPaths: marks })).isSecret(path),
  isSecretKey: (path) => new SecretMap(plan, withMetadata({}, { secretPaths: marks })).isSecretKey(path),
  isCopy: (value) => value === "hunter2",
  shownPath: (path) => path,
  mask: (text) => text.replaceAll("hunter2", "[secret]"),
});

const property = (name: string): Field => {
  const found = fieldsOf(plan).find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

/** A difference in the locks, as models represent them. */
function lockDifference(base: Json, theirs: Json, ours: Json = base): Difference {
  const at = (locks: Json) => (modelOfInputs(plan, { plan: { locks } }).plan as { locks?: Json }).locks;
  return {
    path: ["plan", "locks"],
    field: property("plan"),
    base: at(base),
    ours: at(ours),
    theirs: at(theirs),
  };
}

/** The rows of a table, without its header. */
const cells = (lines: readonly string[]) => lines.slice(1).map((line) => line.trim().split(/ {2,}/));
const drift = (base: Json, theirs: Json, marks: string[] = []) =>
  cells(driftTable([lockDifference(base, theirs)], secrecy(marks)));

const upper = { name: "upper", width: 12, keepers: ["ada", "bo"] };
const lower = { name: "lower", width: 9 };
const old = { name: "old", width: 3 };

describe("table of a list without keys", () => {
  test.each<[string, Json, Json, string[][]]>([
    [
      "an inserted element",
      [upper, lower],
      [upper, old, lower],
      [["plan.locks[+1]", "(none)", '{"name":"old","width":3}']],
    ],
    [
      "a removed element",
      [upper, old, lower],
      [upper, lower],
      [["plan.locks[1]", '{"name":"old","width":3}', "(none)"]],
    ],
    [
      "a changed member of an element",
      [upper, lower],
      [upper, { ...lower, width: 10 }],
      [["plan.locks[1].width", "9", "10"]],
    ],
    [
      "the old and new index of a relocated element",
      [old, upper, lower],
      [upper, lower, old],
      [["plan.locks[0]", "(at 0)", "(at 2)"]],
    ],
    [
      "an element inserted before a changed element",
      [upper],
      [old, { ...upper, width: 1 }],
      [
        ["plan.locks[+0]", "(none)", '{"name":"old","width":3}'],
        ["plan.locks[0].width", "12", "1"],
      ],
    ],
    [
      "a changed element of a nested list",
      [upper],
      [{ ...upper, keepers: ["ada", "cy"] }],
      [["plan.locks[0].keepers[1]", '"bo"', '"cy"']],
    ],
    [
      "the first element of an empty list",
      [],
      [old],
      [["plan.locks[+0]", "(none)", '{"name":"old","width":3}']],
    ],
  ])("shows %s", (_, base, theirs, rows) => {
    expect(drift(base, theirs)).toEqual(rows);
  });

  test("ignores server-owned members and shows members that others added", () => {
    expect(drift([lower], [{ ...lower, stamp: "s1", depth: 4 }])).toEqual([
      ["plan.locks[0].depth", "(none)", "4"],
    ]);
  });

  test("numbers an element by its index in the program", () => {
    const table = conflictTable(
      [lockDifference([upper, lower], [upper, { ...lower, width: 10 }], [lower])],
      secrecy(),
    );
    expect(cells(table)).toEqual([["plan.locks[0].width", "9", "9", "10"]]);
  });

  test("omits an element that others added if the program adds an equal one", () => {
    const table = conflictTable([lockDifference([upper], [upper, old, lower], [upper, lower])], secrecy());
    expect(cells(table)).toEqual([["plan.locks[+1]", "(none)", "(none)", '{"name":"old","width":3}']]);
  });

  test("shows one row per value if an element is too long for one row", () => {
    const long = { ...old, keepers: ["a keeper with a long name", "a keeper with a longer name"] };
    expect(drift([], [long])).toEqual([
      ["plan.locks[+0].name", "(none)", '"old"'],
      ["plan.locks[+0].width", "(none)", "3"],
      ["plan.locks[+0].keepers[0]", "(none)", '"a keeper with a long name"'],
      ["plan.locks[+0].keepers[1]", "(none)", '"a keeper with a longer name"'],
    ]);
  });
});

test("the path of an element of an unordered list contains its value", () => {
  const flags: Difference = {
    path: ["plan", "flags"],
    field: property("plan"),
    base: ["blue", "red"],
    ours: ["blue", "red"],
    theirs: ["gold", "red"],
  };
  expect(cells(driftTable([flags], secrecy()))).toEqual([
    ['plan.flags["blue"]', '"blue"', "(none)"],
    ['plan.flags["gold"]', "(none)", '"gold"'],
  ]);
});

describe("secrets in tables", () => {
  test("fields that the definition declares secret are masked, also in an element that someone else added", () => {
    expect(drift([], [{ ...old, gateCode: "4711" }])).toEqual([
      ["plan.locks[+0].name", "(none)", '"old"'],
      ["plan.locks[+0].width", "(none)", "3"],
      ["plan.locks[+0].gateCode", "(none)", "[secret]"],
    ]);
  });

  test("marks in a list mask the marked member and every element that others added, but no unmarked member", () => {
    const marks = ["plan.locks[0].name"];
    expect(drift([upper], [upper, old], marks)).toEqual([["plan.locks[+1]", "(none)", "[secret]"]]);
    expect(drift([upper], [{ ...upper, width: 1 }], marks)).toEqual([["plan.locks[0].width", "12", "1"]]);
    expect(drift([upper], [{ ...upper, name: "new" }], marks)).toEqual([
      ["plan.locks[0].name", "[secret]", "[secret]"],
    ]);
  });

  test("secrets are masked before a long text is cut", () => {
    const text = "x".repeat(70);
    const note = (value: string): Difference => ({
      path: ["plan", "note"],
      field: property("plan"),
      base: text,
      ours: text,
      theirs: value,
    });
    const [[, , theirs = ""] = []] = cells(driftTable([note(`${text}hunter2`)], secrecy()));
    expect(theirs).toMatch(/\[secret\]"$/);
  });
});

describe("element that others added to a list with marked secrets", () => {
  const byKey = (text: string) => `\u0001${text}`;
  const ships = (theirs: Json): Difference => ({
    path: ["ships"],
    field: property("ships"),
    base: ["own ship"],
    ours: ["own ship"],
    theirs,
  });

  test("is masked in its value and in its path", () => {
    const rows = (marks: string[]) => cells(driftTable([ships(["own ship", "their ship"])], secrecy(marks)));
    expect(rows([])).toEqual([['ships["their ship"]', "(none)", '"their ship"']]);
    expect(rows(["ships[0]"])).toEqual([['ships["[secret]"]', "(none)", "[secret]"]]);
    expect(rows(["ships"])).toEqual([['ships["[secret]"]', "(none)", "[secret]"]]);
  });

  test("is secret only at the paths that are marked in the program's own elements", () => {
    const at = (...path: (string | number)[]) => ["plan", "locks", byKey("theirs"), ...path];
    const { isSecret, isSecretKey } = secrecy(["plan.locks[0].width", "plan.note"]);
    expect(isSecret(at("width"))).toBe(true);
    expect(isSecret(at("name"))).toBe(false);
    expect(isSecret(at())).toBe(true);
    expect(isSecretKey(at())).toBe(true);
    const deep = secrecy(["plan.locks[0].keepers[1].name"]);
    expect(deep.isSecret(at("keepers", 0, "name"))).toBe(true);
    expect(deep.isSecret(at("keepers", 0, "age"))).toBe(false);
    expect(deep.isSecretKey(at())).toBe(false);
  });

  test("has a secret key only if a member of the key is marked, if the list is keyed by members", () => {
    const program = (mark: string) =>
      withMetadata(
        { spec: { taskGroups: [{ name: "front", meta: {}, shutdownDelay: "5s" }] } },
        { secretPaths: [mark] },
      );
    const isSecretKey = (mark: string) =>
      new SecretMap(job, program(mark)).isSecretKey(["spec", "TaskGroups", byKey("theirs")]);
    expect(isSecretKey("spec.taskGroups[0].shutdownDelay")).toBe(false);
    expect(isSecretKey("spec.taskGroups[0].name")).toBe(true);
    expect(isSecretKey("spec.taskGroups[0]")).toBe(true);
  });
});

describe("comparison table of an object that a create finds", () => {
  const found = (ours: Json, theirs: Json) =>
    cells(comparisonTable([lockDifference([], theirs, ours)], secrecy()));

  test("shows values that differ or are missing, and additional list elements", () => {
    expect(found([upper, lower], [{ ...upper, width: 1, depth: 3 }, old])).toEqual([
      ["plan.locks[0].width", "12", "1"],
      ["plan.locks[1]", '{"name":"lower","width":9}', "(none)"],
      ["plan.locks[+1]", "(none)", '{"name":"old","width":3}'],
    ]);
  });

  test("shows at most 20 rows", () => {
    const many = Array.from({ length: 30 }, (_, index) => ({ name: `n${index}`, width: index }));
    const table = comparisonTable([lockDifference([], [], many)], secrecy());
    expect(table).toHaveLength(22);
    expect(table.at(-1)).toBe("  and 10 more");
  });
});
