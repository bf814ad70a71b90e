import { changesIn } from "../../../provider/core/diff/threeWay";
import type { Values } from "../../../provider/core/language/object";
import { type Inputs, UNKNOWN } from "../../../provider/core/value/unknown";
import {
  type Answer,
  changes,
  channel,
  comparisonFor,
  differences,
  expected,
  missing,
  refreshedValues,
} from "./channel";

/** The effect of a fact on one property that a program edits or drops, and that others change. */
interface Fact {
  readonly wrote: Values;
  /** The service's answer to that write. Default: the same values. */
  readonly answered?: Answer;
  /** The edited inputs, and the planned changes. */
  readonly edited?: readonly [Inputs, string[]];
  /** The planned changes if the program drops the property. */
  readonly dropped?: string[];
  /** The service's current answer, the changes that an update of the same program plans, and the conflicting paths. */
  readonly changed?: readonly [Answer, changes: string[], differences: string[]];
  /** The written paths that are missing in that answer. */
  readonly missing?: string[];
  /** The values that a refresh returns. */
  readonly drifted?: Values;
}

const facts: Record<string, Fact> = {
  "identity property": {
    wrote: { name: "a" },
    edited: [{ name: "b" }, []],
    dropped: [],
    changed: [{ name: "b" }, [], []],
    missing: [],
  },
  "server-owned property": { wrote: {}, changed: [{ traffic: "high" }, [], []], missing: [] },
  "provider option": {
    wrote: { pace: "slow" },
    answered: {},
    edited: [{ pace: "fast" }, ["~ pace (program)"]],
    dropped: ["- pace (program)"],
    changed: [{ pace: "fast" }, [], []],
    missing: [],
  },
  "plain value": {
    wrote: { plain: "a" },
    edited: [{ plain: "b" }, ["~ plain (program)"]],
    dropped: ["- plain (program)"],
    changed: [{ plain: "b" }, ["~ plain (drift)"], ["plain"]],
    missing: ["plain"],
    drifted: { plain: "b" },
  },
  "value that no one wrote": { wrote: {}, changed: [{ plain: "b" }, [], []], missing: [] },
  "unknown value": {
    wrote: { plain: "a" },
    edited: [{ plain: UNKNOWN }, ["~ plain (program)"]],
  },
  "value that others removed": {
    wrote: { plain: "a" },
    changed: [{}, ["+ plain (drift)"], ["plain"]],
    missing: ["plain"],
    drifted: {},
  },
  "ordered list": {
    wrote: { list: ["a", "b"] },
    edited: [{ list: ["b", "a"] }, ["~ list (program)"]],
    changed: [{ list: ["b", "a"] }, ["~ list (drift)"], ["list"]],
    missing: ["list[0]", "list[1]"],
    drifted: { list: ["b", "a"] },
  },
  "property with an empty value": {
    wrote: { cleared: "a" },
    dropped: ["- cleared (program)"],
    changed: [{}, ["+ cleared (drift)"], ["cleared"]],
    drifted: { cleared: "" },
  },
  "empty string that equals an absent value": {
    wrote: { cleared: "" },
    edited: [{}, []],
    dropped: [],
    changed: [{}, [], []],
    missing: [],
  },
  "property with a default": { wrote: { restored: 3 }, dropped: ["~ restored (program)"] },
  "property that already has its default value": { wrote: { restored: 7 }, dropped: [] },
  "property that is not restored": {
    wrote: { stays: "a" },
    dropped: [],
    changed: [{ stays: "b" }, ["~ stays (drift)"], ["stays"]],
  },
  "write-only property": {
    wrote: { hidden: "a" },
    answered: {},
    edited: [{ hidden: "b" }, ["~ hidden (program)"]],
    dropped: ["- hidden (program)"],
    changed: [{ hidden: "b" }, [], []],
    missing: [],
  },
  "property with two spellings": {
    wrote: { spelt: "1m" },
    answered: { spelt: 60 },
    edited: [{ spelt: "60s" }, []],
    changed: [{ spelt: 90 }, ["~ spelt (drift)"], ["spelt"]],
    missing: ["spelt"],
    drifted: { spelt: 90 },
  },
  "unordered list": {
    wrote: { unordered: ["b", "a"] },
    edited: [{ unordered: ["a", "b"] }, []],
    dropped: ["- unordered (program)"],
    changed: [{ unordered: ["c", "b"] }, ["~ unordered (drift)"], ["unordered"]],
    missing: ["unordered[0]", "unordered[1]"],
    drifted: { unordered: ["b", "c"] },
  },
  "additive list to which others added": {
    wrote: { shared: ["a", "b"] },
    edited: [{ shared: ["a"] }, ["~ shared (program)"]],
    dropped: ["- shared (program)"],
    changed: [{ shared: ["a", "b", "c"] }, [], []],
    drifted: { shared: ["a", "b"] },
  },
  "additive list from which others also removed": {
    wrote: { shared: ["a", "b"] },
    changed: [{ shared: ["b", "c"] }, ["~ shared (drift)"], ["shared"]],
    drifted: { shared: ["b"] },
  },
  "additive list that the program manages exclusively": {
    wrote: { owned: ["a"], alone: true },
    changed: [{ owned: ["a", "c"] }, ["~ owned (drift)"], ["owned"]],
    missing: ["owned"],
    drifted: { owned: ["a", "c"], alone: true },
  },
  "exclusively managed list that others removed": {
    wrote: { owned: ["a"], alone: true },
    changed: [{}, ["+ owned (drift)"], ["owned"]],
    missing: ["owned"],
    drifted: { owned: [], alone: true },
  },
  "object with members": {
    wrote: { group: { one: "a" } },
    edited: [{ group: { one: "b", other: "c" } }, ["~ group.one (program)", "+ group.other (program)"]],
    changed: [{ group: { one: "b", other: "theirs" } }, ["~ group.one (drift)"], ["group.one"]],
    missing: ["group.one"],
    drifted: { group: { one: "b" } },
  },
  "member of an object": {
    wrote: { group: { one: "a", other: "b" } },
    edited: [{ group: { one: "a" } }, ["- group.other (program)"]],
  },
  "object that others removed": {
    wrote: { group: { one: "a" } },
    changed: [{ group: null }, ["+ group (drift)"], ["group"]],
    missing: ["group"],
    drifted: {},
  },
  document: {
    wrote: { document: { Depth: 3, Name: "a" } },
    edited: [{ document: { Depth: 4 } }, ["~ document.Depth (program)", "- document.Name (program)"]],
    dropped: ["~ document (program)"],
    changed: [
      { document: { Depth: 3, Name: "b", More: 1 } },
      ["~ document.Name (drift)", "- document.More (drift)"],
      ["document.Name", "document.More"],
    ],
    missing: ["document.Name"],
    drifted: { document: { Depth: 3, Name: "b", More: 1 } },
  },
  "keyed list of a document": {
    wrote: {
      document: {
        Gates: [
          { Name: "in", Width: 1 },
          { Name: "out", Width: 2 },
        ],
      },
    },
    edited: [
      {
        document: {
          Gates: [
            { Name: "out", Width: 2 },
            { Name: "in", Width: 9 },
          ],
        },
      },
      ['~ document.Gates["in"].Width (program)'],
    ],
    changed: [
      {
        document: {
          Gates: [
            { Name: "out", Width: 5 },
            { Name: "in", Width: 1 },
          ],
        },
      },
      ['~ document.Gates["out"].Width (drift)'],
      ['document.Gates["out"].Width'],
    ],
    missing: ['document.Gates["out"].Width'],
    drifted: {
      document: {
        Gates: [
          { Name: "in", Width: 1 },
          { Name: "out", Width: 5 },
        ],
      },
    },
  },
  "list of a document without keys": {
    wrote: { document: { Lamps: [{ Light: 1 }] } },
    changed: [
      { document: { Lamps: [{ Light: 1 }, { Light: 2 }] } },
      ["~ document.Lamps (drift)"],
      ["document.Lamps"],
    ],
    missing: ["document.Lamps"],
    drifted: { document: { Lamps: [{ Light: 1 }, { Light: 2 }] } },
  },
  "unordered list of a document": {
    wrote: { document: { Zones: ["b", "a"] } },
    edited: [{ document: { Zones: ["a", "b"] } }, []],
    changed: [{ document: { Zones: ["a", "b"] } }, [], []],
    missing: [],
  },
  "block of a document": {
    wrote: { document: { Block: {} } },
    edited: [{ document: {} }, ["- document.Block (program)"]],
    changed: [{ document: {} }, ["+ document.Block (drift)"], ["document.Block"]],
    missing: ["document.Block"],
  },
  "block that the service drops": {
    wrote: { document: { Gone: { Depth: 0 } } },
    changed: [{ document: {} }, ["+ document.Gone.Depth (drift)"], ["document.Gone.Depth"]],
    missing: [],
  },
  "insignificant empty value of a document": {
    wrote: { document: { Count: 0 } },
    edited: [{ document: {} }, []],
    changed: [{ document: {} }, [], []],
    missing: [],
  },
  "document value that means the same as leaving it out": {
    wrote: { document: { Mode: "open" } },
    edited: [{ document: {} }, []],
    changed: [{ document: {} }, [], []],
    missing: [],
  },
  "document value with two spellings": {
    wrote: { document: { Delay: "1m" } },
    edited: [{ document: { Delay: "60s" } }, []],
    changed: [{ document: { Delay: 60 } }, [], []],
    missing: [],
  },
  "server-owned members of a document": {
    wrote: { document: { Lamps: [{ Light: 1 }] } },
    changed: [{ document: { Lamps: [{ Light: 1, Hash: "h" }], Index: 9 } }, [], []],
    missing: [],
  },
  "member that the service copies to nested objects": {
    wrote: { document: { Rate: { Knots: 3 } } },
    missing: [],
    changed: [{ document: {} }, ["+ document.Rate.Knots (drift)"], ["document.Rate.Knots"]],
  },
  "value that a document implies": {
    wrote: { document: {} },
    edited: [{ document: { Open: true } }, []],
    changed: [{ document: { Open: false } }, ["~ document.Open (drift)"], ["document.Open"]],
    missing: ["document.Open"],
  },
  "value that another member implies": {
    wrote: { document: { Code: "a" } },
    edited: [{ document: { Code: "a", Title: "a" } }, []],
    changed: [{ document: { Code: "a", Title: "b" } }, ["~ document.Title (drift)"], ["document.Title"]],
    missing: ["document.Title"],
  },
  "value that others change freely": {
    wrote: { document: { Auto: true, Depth: 3 } },
    answered: { document: { Auto: true, Depth: 5 } },
    changed: [{ document: { Auto: true, Depth: 9 } }, [], []],
    missing: [],
  },
  "value that the program leaves to others": {
    wrote: { pace: "theirs", document: { Left: 1 } },
    changed: [{ document: { Left: 2 } }, [], []],
    missing: [],
  },
  "exact document": {
    wrote: { exact: { a: 1 } },
    answered: { exact: { a: 1, b: 2 } },
    edited: [{ exact: { a: 1 } }, ["- exact.b (program)"]],
    changed: [{ exact: { a: 1, b: 2, c: 3 } }, ["- exact.b (program)", "- exact.c (drift)"], ["exact.c"]],
  },
};

describe.each(Object.entries(facts))("%s", (_, { wrote, answered, edited, dropped, changed, ...fact }) => {
  // These inputs have the same form on the wire.
  const baseline = answered ?? (wrote as Answer);
  const after: Answer = changed?.[0] ?? baseline;

  if (edited)
    test("an edit plans the expected changes", () => {
      const [desired, planned] = edited;
      expect(changes({ lastApplied: wrote, desired, baseline })).toEqual(planned);
    });

  if (dropped)
    test("dropping it from the program plans the expected changes", () => {
      expect(changes({ lastApplied: wrote, desired: {}, baseline })).toEqual(dropped);
    });

  if (changed)
    test("a change by others plans the expected drift and is the expected conflict", () => {
      const [observed, drift, conflicts] = changed;
      expect(changes({ desired: wrote, baseline, observed })).toEqual(drift);
      expect(differences({ desired: wrote, baseline }, observed)).toEqual(conflicts);
    });

  if (fact.missing)
    test("the expected paths are missing in an existing object", () => {
      expect(missing(wrote, after)).toEqual(fact.missing);
    });

  if (fact.drifted)
    test("a refresh returns the expected value", () => {
      expect(refreshedValues(wrote, baseline, after)).toEqual(fact.drifted);
    });
});

test("an update restores service-added document values that others changed, and removes members that others added", () => {
  const model = comparisonFor({
    desired: { document: { A: 1 } },
    baseline: { document: { A: 1, B: 2 } },
    observed: { document: { A: 1, B: 3, C: 4 } },
  });
  expect(changesIn(channel, model).map(({ path, to }) => [path, to])).toEqual([
    [["document", "B"], 2],
    [["document", "C"], undefined],
  ]);
});

test("a program with the refreshed value of an emptied object shows no changes", () => {
  const wrote = { group: { one: "a" } };
  expect(refreshedValues(wrote, wrote, { group: {} })).toEqual({ group: { one: "" } });
  const emptied = {
    lastApplied: wrote,
    desired: { group: { one: "" } },
    baseline: wrote,
    observed: { group: {} },
  };
  expect(changes(emptied)).toEqual([]);
});

describe("expected answer to a write", () => {
  test.each<[string, Values, Answer, Answer, object]>([
    ["the written value", { plain: "a" }, {}, { plain: "b" }, { plain: "a" }],
    [
      "any value of a property that the program does not write",
      {},
      { plain: "a" },
      { plain: "b" },
      { plain: "b" },
    ],
    ["any value of an additive list", { shared: ["a"] }, {}, { shared: ["b"] }, { shared: ["b"] }],
    [
      "exactly the written list if the program manages it exclusively",
      { owned: ["a"], alone: true },
      {},
      { owned: ["a", "b"] },
      { owned: ["a"] },
    ],
    [
      "any value of a member that the program does not write",
      { group: { one: "a" } },
      {},
      { group: { one: "b", other: "c" } },
      { group: { one: "a", other: "c" } },
    ],
    [
      "members that the service had already added to a document",
      { document: { A: 1 } },
      { document: { B: 2 } },
      { document: { A: 1, B: 2, C: 3 } },
      { document: { A: 1, B: 2, Open: true } },
    ],
    [
      "known defaults of the service",
      { document: { Lamps: [{ Light: 1 }] } },
      {},
      { document: { Kind: "canal", Lamps: [{ Light: 1, Kind: "lamp", Odd: 1 }] } },
      { document: { Kind: "canal", Lamps: [{ Light: 1, Kind: "lamp" }], Open: true } },
    ],
    ["no write-only value", { hidden: "a" }, {}, {}, {}],
  ])("contains %s", (_, inputs, before, answer, model) => {
    expect(expected(inputs, before, answer)).toEqual(model);
  });
});
