import { z } from "zod";
import { modelOfBody } from "../../../provider/core/diff/models";
import { conflictsIn } from "../../../provider/core/diff/queries";
import { field } from "../../../provider/core/language/facts";
import type { Values } from "../../../provider/core/language/object";
import { define } from "../../../provider/core/language/resource";
import { comparisonOf, plannedChanges } from "../../../provider/core/operations/planned";
import { driftedInputs } from "../../../provider/core/state/outputs";
import type { Records } from "../../../provider/core/state/records";
import { withMetadata } from "../../../provider/core/value/programInputs";
import { caseFolded } from "../../../provider/core/value/spelling";
import { UNKNOWN } from "../../../provider/core/value/unknown";
import { consequencesOf } from "../../../tools/generate/sentences";
import { propertiesOf } from "../../../tools/generate/shape";
import { quay } from "../../generate/harbour";

/** A berth whose pennants anybody may hoist, unless the program wants them for itself. */
const berth = define({
  ...quay,
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

/** What was written, what the service answered then, and what it holds now. */
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

describe("a list to which others may add", () => {
  const before = record({ pennants: ["Red"] }, ["red"], ["blue", "red"]);

  test("keeps what they added, as long as the program does not ask for exactly its own", () => {
    expect(changes(before, { pennants: ["Red"] })).toEqual([]);
    expect(changes(before, { pennants: ["Red"], alone: false })).toEqual([["alone", false, "program"]]);
    expect(changes(before, { pennants: ["green"] })).toEqual([["pennants", ["blue", "green"], "program"]]);
  });

  test("loses it from the moment on in which the program asks for that, and the preview shows it", () => {
    expect(changes(before, { pennants: ["Red"], alone: true })).toEqual([
      ["pennants", ["red"], "program"],
      ["alone", true, "program"],
    ]);
  });

  test("shows as drift what others add to it later", () => {
    const alone = { pennants: ["Red"], alone: true };
    expect(changes(record(alone, ["red"]), alone)).toEqual([]);
    expect(changes(record(alone, ["red"], ["blue", "red"]), alone)).toEqual([["pennants", ["red"], "drift"]]);
  });

  test("holds once what the program writes twice", () => {
    const twice = { pennants: ["Red", "red"], alone: true };
    expect(changes(record(twice, ["red"]), twice)).toEqual([]);
  });

  test("is emptied by a program that asks for exactly nothing", () => {
    expect(changes(before, { pennants: [], alone: true })[0]).toEqual(["pennants", [], "program"]);
  });

  test("loses only what the program wrote when it no longer says anything", () => {
    const alone = record({ pennants: ["Red"], alone: true }, ["red"], ["blue", "red"]);
    expect(changes(alone, {})[0]).toEqual(["pennants", ["blue"], "program"]);
  });

  test("keeps what they added while it is not known yet whether the program asks for that", () => {
    const unknown = plannedChanges(berth, before, { pennants: ["Red"], alone: UNKNOWN });
    expect(unknown.map(({ path }) => path)).toEqual([["alone"]]);
  });
});

describe("what others add just before our write", () => {
  const moved = (lastApplied: Values, inputs: Values) =>
    conflictsIn(
      berth,
      comparisonOf(berth, record(lastApplied, ["red"]), inputs),
      pennants("red", "blue"),
    ).map(({ path }) => path.join("."));

  test("is a conflict only for a program that would take it away", () => {
    expect(moved({ pennants: ["red"] }, { pennants: ["red", "green"] })).toEqual([]);
    expect(moved({ pennants: ["red"] }, { pennants: ["red", "green"], alone: true })).toEqual(["pennants"]);
    expect(moved({ pennants: ["red"], alone: true }, { pennants: ["green"], alone: true })).toEqual([
      "pennants",
    ]);
    expect(moved({ pennants: ["red"], alone: true }, { pennants: ["green"] })).toEqual([]);
  });
});

describe("a refresh hands back", () => {
  test("what is still there of ours as we spell it, and theirs where the program manages that too", () => {
    const drifted = (alone: boolean) =>
      driftedInputs(berth, record({ pennants: ["Red", "Gold"], alone }, ["gold", "red"], ["blue", "red"]))
        .pennants;
    expect(drifted(false)).toEqual(["Red"]);
    expect(drifted(true)).toEqual(["Red", "blue"]);
  });
});

test("the documentation says with which property others' additions go", () => {
  const property = propertiesOf(berth).find(({ name }) => name === "pennants");
  expect(property && consequencesOf(berth, property)).toContain(
    "Only what the program wrote is managed: what others add stays, unless `alone` is true.",
  );
});
