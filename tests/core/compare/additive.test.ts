import { z } from "zod";
import { modelOfBody } from "../../../provider/core/diff/models";
import { conflictsIn } from "../../../provider/core/diff/queries";
import { field } from "../../../provider/core/language/facts";
import type { Values } from "../../../provider/core/language/object";
import { define } from "../../../provider/core/language/resource";
import { comparisonOf, plannedChanges } from "../../../provider/core/state/changes";
import { driftedInputs } from "../../../provider/core/state/outputs";
import type { Records } from "../../../provider/core/state/records";
import { withMetadata } from "../../../provider/core/value/programInputs";
import { caseFolded } from "../../../provider/core/value/spelling";
import { UNKNOWN } from "../../../provider/core/value/unknown";
import { consequencesOf } from "../../../tools/generate/sentences";
import { propertiesOf } from "../../../tools/generate/shape";
import { exampleDefinition } from "../../generate/exampleDefinition";

/** A berth to whose pennants others may add, unless the program sets `alone`. */
const berth = define({
  ...exampleDefinition,
  token: "harbour:Berth",
  rules: [],
  fields: {
    pennants: field(z.array(z.string()).optional(), {
      doc: "The pennants.",
      additive: { unless: "alone" },
      spelling: caseFolded,
      empty: [],
    }),
    alone: field(z.boolean().optional(), { doc: "No other pennants.", role: "steering" }),
  },
});

const pennants = (...names: string[]) => modelOfBody(berth, { pennants: names });

/** The records after a write: the inputs, the service's answer, and the values that it has now. */
function record(lastApplied: Values, baseline: string[], observed = baseline): Records {
  return {
    address: {},
    lastApplied: withMetadata(lastApplied, {}),
    baseline: pennants(...baseline),
    observed: pennants(...observed),
  };
}

const changes = (before: Records, inputs: Values) =>
  plannedChanges(berth, before, inputs).map(({ path, to, cause }) => [path.join("."), to, cause]);

describe("additive list", () => {
  const before = record({ pennants: ["Red"] }, ["red"], ["blue", "red"]);

  test("keeps elements that others added if the program does not ask for exactly its own", () => {
    expect(changes(before, { pennants: ["Red"] })).toEqual([]);
    expect(changes(before, { pennants: ["Red"], alone: false })).toEqual([["alone", false, "program"]]);
    expect(changes(before, { pennants: ["green"] })).toEqual([["pennants", ["blue", "green"], "program"]]);
  });

  test("plans to remove others' elements if the program starts to ask for exactly its own", () => {
    expect(changes(before, { pennants: ["Red"], alone: true })).toEqual([
      ["pennants", ["red"], "program"],
      ["alone", true, "program"],
    ]);
  });

  test("shows later additions by others as drift if the program asks for exactly its own elements", () => {
    const alone = { pennants: ["Red"], alone: true };
    expect(changes(record(alone, ["red"]), alone)).toEqual([]);
    expect(changes(record(alone, ["red"], ["blue", "red"]), alone)).toEqual([["pennants", ["red"], "drift"]]);
  });

  test("ignores a duplicate among the program's elements", () => {
    const twice = { pennants: ["Red", "red"], alone: true };
    expect(changes(record(twice, ["red"]), twice)).toEqual([]);
  });

  test("becomes empty if the program asks for exactly no elements", () => {
    expect(changes(before, { pennants: [], alone: true })[0]).toEqual(["pennants", [], "program"]);
  });

  test("loses only the program's elements if the program drops the property", () => {
    const alone = record({ pennants: ["Red"], alone: true }, ["red"], ["blue", "red"]);
    expect(changes(alone, {})[0]).toEqual(["pennants", ["blue"], "program"]);
  });

  test("keeps others' elements in the plan if `alone` is unknown", () => {
    const unknown = plannedChanges(berth, before, { pennants: ["Red"], alone: UNKNOWN });
    expect(unknown.map(({ path }) => path)).toEqual([["alone"]]);
  });
});

describe("element that others add just before a write", () => {
  const conflicts = (lastApplied: Values, inputs: Values) =>
    conflictsIn(
      berth,
      comparisonOf(berth, record(lastApplied, ["red"]), inputs),
      pennants("red", "blue"),
    ).map(({ path }) => path.join("."));

  test("is a conflict only if the write would remove it", () => {
    expect(conflicts({ pennants: ["red"] }, { pennants: ["red", "green"] })).toEqual([]);
    expect(conflicts({ pennants: ["red"] }, { pennants: ["red", "green"], alone: true })).toEqual([
      "pennants",
    ]);
    expect(conflicts({ pennants: ["red"], alone: true }, { pennants: ["green"], alone: true })).toEqual([
      "pennants",
    ]);
    expect(conflicts({ pennants: ["red"], alone: true }, { pennants: ["green"] })).toEqual([]);
  });
});

describe("refresh of an additive list", () => {
  test("returns the program's remaining elements as written, and others' elements only if `alone` is true", () => {
    const refreshed = (alone: boolean) =>
      driftedInputs(berth, record({ pennants: ["Red", "Gold"], alone }, ["gold", "red"], ["blue", "red"]))
        .pennants;
    expect(refreshed(false)).toEqual(["Red"]);
    expect(refreshed(true)).toEqual(["Red", "blue"]);
  });
});

test("the documentation names the property that removes others' additions", () => {
  const property = propertiesOf(berth).find(({ name }) => name === "pennants");
  expect(property && consequencesOf(berth, property)).toContain(
    "Additive: entries added by others are kept, unless `alone` is true.",
  );
});
