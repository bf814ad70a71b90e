import { changesIn } from "../../../provider/core/diff/threeWay";
import type { Values } from "../../../provider/core/language/object";
import { type Inputs, UNKNOWN } from "../../../provider/core/value/unknown";
import { type Answer, changes, channel, differences, drifted, expected, missing, standing } from "./channel";

/** What a fact says of one member that a program edits or drops, and that others move. */
interface Fact {
  readonly wrote: Values;
  /** What the service holds after that; the same, if nothing is said. */
  readonly answered?: Answer;
  /** The program writes this by now. */
  readonly edited?: readonly [Inputs, string[]];
  readonly dropped?: string[];
  /** The service holds this by now: what an update of the same program changes, and what a conflict tells. */
  readonly moved?: readonly [Answer, changes: string[], differences: string[]];
  /** What the same answer lacks of what was written. */
  readonly missing?: string[];
  /** What a refresh hands back of it. */
  readonly drifted?: Values;
}

const facts: Record<string, Fact> = {
  identity: {
    wrote: { name: "a" },
    edited: [{ name: "b" }, []],
    dropped: [],
    moved: [{ name: "b" }, [], []],
    missing: [],
  },
  "the server's": { wrote: {}, moved: [{ traffic: "high" }, [], []], missing: [] },
  steering: {
    wrote: { pace: "slow" },
    answered: {},
    edited: [{ pace: "fast" }, ["~ pace (program)"]],
    dropped: ["- pace (program)"],
    moved: [{ pace: "fast" }, [], []],
    missing: [],
  },
  "a plain value": {
    wrote: { plain: "a" },
    edited: [{ plain: "b" }, ["~ plain (program)"]],
    dropped: ["- plain (program)"],
    moved: [{ plain: "b" }, ["~ plain (drift)"], ["plain"]],
    missing: ["plain"],
    drifted: { plain: "b" },
  },
  "a value that nobody wrote": { wrote: {}, moved: [{ plain: "b" }, [], []], missing: [] },
  "a value that is not known yet": {
    wrote: { plain: "a" },
    edited: [{ plain: UNKNOWN }, ["~ plain (program)"]],
  },
  "a value that is taken away": {
    wrote: { plain: "a" },
    moved: [{}, ["+ plain (drift)"], ["plain"]],
    missing: ["plain"],
    drifted: {},
  },
  "a list in order": {
    wrote: { list: ["a", "b"] },
    edited: [{ list: ["b", "a"] }, ["~ list (program)"]],
    moved: [{ list: ["b", "a"] }, ["~ list (drift)"], ["list"]],
    missing: ["list[0]", "list[1]"],
    drifted: { list: ["b", "a"] },
  },
  "an empty value": {
    wrote: { cleared: "a" },
    dropped: ["- cleared (program)"],
    moved: [{}, ["+ cleared (drift)"], ["cleared"]],
    drifted: { cleared: "" },
  },
  "an empty text, which is one with absence": {
    wrote: { cleared: "" },
    edited: [{}, []],
    dropped: [],
    moved: [{}, [], []],
    missing: [],
  },
  "a default": { wrote: { restored: 3 }, dropped: ["~ restored (program)"] },
  "a default that the service holds already": { wrote: { restored: 7 }, dropped: [] },
  "a value that stays": {
    wrote: { stays: "a" },
    dropped: [],
    moved: [{ stays: "b" }, ["~ stays (drift)"], ["stays"]],
  },
  "a value that is never answered": {
    wrote: { hidden: "a" },
    answered: {},
    edited: [{ hidden: "b" }, ["~ hidden (program)"]],
    dropped: ["- hidden (program)"],
    moved: [{ hidden: "b" }, [], []],
    missing: [],
  },
  "two spellings": {
    wrote: { spelt: "1m" },
    answered: { spelt: 60 },
    edited: [{ spelt: "60s" }, []],
    moved: [{ spelt: 90 }, ["~ spelt (drift)"], ["spelt"]],
    missing: ["spelt"],
    drifted: { spelt: 90 },
  },
  "a list without an order": {
    wrote: { unordered: ["b", "a"] },
    edited: [{ unordered: ["a", "b"] }, []],
    dropped: ["- unordered (program)"],
    moved: [{ unordered: ["c", "b"] }, ["~ unordered (drift)"], ["unordered"]],
    missing: ["unordered[0]", "unordered[1]"],
    drifted: { unordered: ["b", "c"] },
  },
  "a list to which others add": {
    wrote: { shared: ["a", "b"] },
    edited: [{ shared: ["a"] }, ["~ shared (program)"]],
    dropped: ["- shared (program)"],
    moved: [{ shared: ["a", "b", "c"] }, [], []],
    drifted: { shared: ["a", "b"] },
  },
  "a list to which others add and from which they take": {
    wrote: { shared: ["a", "b"] },
    moved: [{ shared: ["b", "c"] }, ["~ shared (drift)"], ["shared"]],
    drifted: { shared: ["b"] },
  },
  "a list to which others would add, were it not ours alone": {
    wrote: { owned: ["a"], alone: true },
    moved: [{ owned: ["a", "c"] }, ["~ owned (drift)"], ["owned"]],
    missing: ["owned"],
    drifted: { owned: ["a", "c"], alone: true },
  },
  "an object with members": {
    wrote: { group: { one: "a" } },
    edited: [{ group: { one: "b", other: "c" } }, ["~ group.one (program)", "+ group.other (program)"]],
    moved: [{ group: { one: "b", other: "theirs" } }, ["~ group.one (drift)"], ["group.one"]],
    missing: ["group.one"],
    drifted: { group: { one: "b" } },
  },
  "a member that is dropped": {
    wrote: { group: { one: "a", other: "b" } },
    edited: [{ group: { one: "a" } }, ["- group.other (program)"]],
  },
  "an object that is taken away": {
    wrote: { group: { one: "a" } },
    moved: [{ group: null }, ["+ group (drift)"], ["group"]],
    missing: ["group"],
    drifted: {},
  },
  "a document": {
    wrote: { document: { Depth: 3, Name: "a" } },
    edited: [{ document: { Depth: 4 } }, ["~ document.Depth (program)", "- document.Name (program)"]],
    dropped: ["~ document (program)"],
    moved: [
      { document: { Depth: 3, Name: "b", More: 1 } },
      ["~ document.Name (drift)", "- document.More (drift)"],
      ["document.Name", "document.More"],
    ],
    missing: ["document.Name"],
    drifted: { document: { Depth: 3, Name: "b", More: 1 } },
  },
  "a keyed list": {
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
    moved: [
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
  "a list without keys": {
    wrote: { document: { Lamps: [{ Light: 1 }] } },
    moved: [
      { document: { Lamps: [{ Light: 1 }, { Light: 2 }] } },
      ["~ document.Lamps (drift)"],
      ["document.Lamps"],
    ],
    missing: ["document.Lamps"],
    drifted: { document: { Lamps: [{ Light: 1 }, { Light: 2 }] } },
  },
  "a list without an order in a document": {
    wrote: { document: { Zones: ["b", "a"] } },
    edited: [{ document: { Zones: ["a", "b"] } }, []],
    moved: [{ document: { Zones: ["a", "b"] } }, [], []],
    missing: [],
  },
  "a block": {
    wrote: { document: { Block: {} } },
    edited: [{ document: {} }, ["- document.Block (program)"]],
    moved: [{ document: {} }, ["+ document.Block (drift)"], ["document.Block"]],
    missing: ["document.Block"],
  },
  "a block that the service drops": {
    wrote: { document: { Gone: { Depth: 0 } } },
    moved: [{ document: {} }, ["+ document.Gone.Depth (drift)"], ["document.Gone.Depth"]],
    missing: [],
  },
  "an empty value that says nothing": {
    wrote: { document: { Count: 0 } },
    edited: [{ document: {} }, []],
    moved: [{ document: {} }, [], []],
    missing: [],
  },
  "a value that says what leaving it out says": {
    wrote: { document: { Mode: "open" } },
    edited: [{ document: {} }, []],
    moved: [{ document: {} }, [], []],
    missing: [],
  },
  "a spelling in a document": {
    wrote: { document: { Delay: "1m" } },
    edited: [{ document: { Delay: "60s" } }, []],
    moved: [{ document: { Delay: 60 } }, [], []],
    missing: [],
  },
  "members that the service owns": {
    wrote: { document: { Lamps: [{ Light: 1 }] } },
    moved: [{ document: { Lamps: [{ Light: 1, Hash: "h" }], Index: 9 } }, [], []],
    missing: [],
  },
  "what the service hands down": {
    wrote: { document: { Rate: { Knots: 3 } } },
    missing: [],
    moved: [{ document: {} }, ["+ document.Rate.Knots (drift)"], ["document.Rate.Knots"]],
  },
  "what a document implies": {
    wrote: { document: {} },
    edited: [{ document: { Open: true } }, []],
    moved: [{ document: { Open: false } }, ["~ document.Open (drift)"], ["document.Open"]],
    missing: ["document.Open"],
  },
  "what another member implies": {
    wrote: { document: { Code: "a" } },
    edited: [{ document: { Code: "a", Title: "a" } }, []],
    moved: [{ document: { Code: "a", Title: "b" } }, ["~ document.Title (drift)"], ["document.Title"]],
    missing: ["document.Title"],
  },
  "what others move at will": {
    wrote: { document: { Auto: true, Depth: 3 } },
    answered: { document: { Auto: true, Depth: 5 } },
    moved: [{ document: { Auto: true, Depth: 9 } }, [], []],
    missing: [],
  },
  "what is left to others": {
    wrote: { pace: "theirs", document: { Left: 1 } },
    moved: [{ document: { Left: 2 } }, [], []],
    missing: [],
  },
  "an exact document": {
    wrote: { exact: { a: 1 } },
    answered: { exact: { a: 1, b: 2 } },
    edited: [{ exact: { a: 1 } }, ["- exact.b (program)"]],
    moved: [{ exact: { a: 1, b: 2, c: 3 } }, ["- exact.b (program)", "- exact.c (drift)"], ["exact.c"]],
  },
};

describe.each(Object.entries(facts))("%s:", (_, { wrote, answered, edited, dropped, moved, ...fact }) => {
  // What a program writes here travels as it is.
  const baseline = answered ?? (wrote as Answer);
  const after: Answer = moved?.[0] ?? baseline;

  if (edited)
    test("edited", () => {
      const [desired, changed] = edited;
      expect(changes({ lastApplied: wrote, desired, baseline })).toEqual(changed);
    });

  if (dropped)
    test("dropped", () => {
      expect(changes({ lastApplied: wrote, desired: {}, baseline })).toEqual(dropped);
    });

  if (moved)
    test("moved by others, which an update changes and a conflict tells", () => {
      const [observed, drift, told] = moved;
      expect(changes({ desired: wrote, baseline, observed })).toEqual(drift);
      expect(differences({ desired: wrote, baseline }, observed)).toEqual(told);
    });

  if (fact.missing)
    test("missing in an object", () => {
      expect(missing(wrote, after)).toEqual(fact.missing);
    });

  if (fact.drifted)
    test("handed back by a refresh", () => {
      expect(drifted(wrote, baseline, after)).toEqual(fact.drifted);
    });
});

test("what the service added to a document, and others moved, goes back to what it was, and what others added goes", () => {
  const model = standing({
    desired: { document: { A: 1 } },
    baseline: { document: { A: 1, B: 2 } },
    observed: { document: { A: 1, B: 3, C: 4 } },
  });
  expect(changesIn(channel, model).map(({ path, to }) => [path, to])).toEqual([
    [["document", "B"], 2],
    [["document", "C"], undefined],
  ]);
});

test("a program that says of an emptied object what a refresh handed back changes nothing", () => {
  const wrote = { group: { one: "a" } };
  expect(drifted(wrote, wrote, { group: {} })).toEqual({ group: { one: "" } });
  const emptied = {
    lastApplied: wrote,
    desired: { group: { one: "" } },
    baseline: wrote,
    observed: { group: {} },
  };
  expect(changes(emptied)).toEqual([]);
});

describe("of the answer to a write is expected", () => {
  test.each<[string, Values, Answer, Answer, object]>([
    ["what was written", { plain: "a" }, {}, { plain: "b" }, { plain: "a" }],
    ["whatever comes where nobody manages anything", {}, { plain: "a" }, { plain: "b" }, { plain: "b" }],
    ["whatever comes of what others add to", { shared: ["a"] }, {}, { shared: ["b"] }, { shared: ["b"] }],
    [
      "just what was written where it is ours alone",
      { owned: ["a"], alone: true },
      {},
      { owned: ["a", "b"] },
      { owned: ["a"] },
    ],
    [
      "whatever comes of a member that nobody writes",
      { group: { one: "a" } },
      {},
      { group: { one: "b", other: "c" } },
      { group: { one: "a", other: "c" } },
    ],
    [
      "what the service had added to a document before",
      { document: { A: 1 } },
      { document: { B: 2 } },
      { document: { A: 1, B: 2, C: 3 } },
      { document: { A: 1, B: 2, Open: true } },
    ],
    [
      "what the service is known to fill in",
      { document: { Lamps: [{ Light: 1 }] } },
      {},
      { document: { Kind: "canal", Lamps: [{ Light: 1, Kind: "lamp", Odd: 1 }] } },
      { document: { Kind: "canal", Lamps: [{ Light: 1, Kind: "lamp" }], Open: true } },
    ],
    ["nothing of what is never answered", { hidden: "a" }, {}, {}, {}],
  ])("%s", (_, inputs, before, answer, model) => {
    expect(expected(inputs, before, answer)).toEqual(model);
  });
});
