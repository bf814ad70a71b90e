import fc from "fast-check";
import { z } from "zod";
import { type Model, modelOfBody, modelOfInputs } from "../../../provider/core/diff/models";
import { canonicalField } from "../../../provider/core/diff/normalize";
import { predict } from "../../../provider/core/diff/predict";
import { driftedValue } from "../../../provider/core/diff/project";
import { conflictsIn, differencesIn, missingIn } from "../../../provider/core/diff/queries";
import { changesIn } from "../../../provider/core/diff/threeWay";
import { type DocumentFacts, type Facts, field } from "../../../provider/core/language/facts";
import { fieldsOf } from "../../../provider/core/language/fields";
import type { Values } from "../../../provider/core/language/object";
import type { Definition } from "../../../provider/core/language/resource";
import { rowsOfConflict } from "../../../provider/core/state/rows";
import { equalJson, isObject, type Json } from "../../../provider/core/value/json";
import { formatPath, type Path, valueAt } from "../../../provider/core/value/path";
import { isEmpty } from "../../../provider/core/value/scalar";
import { durationInSeconds } from "../../../provider/core/value/spelling";
import { exampleDefinition } from "../../generate/exampleDefinition";

type Answer = { [member: string]: Json };

const word = fc.constantFrom("a", "b", "c", "d");
const words = fc.uniqueArray(word, { maxLength: 4 });
const part = fc.record({ Name: word, Size: fc.nat(2), Tags: words }, { requiredKeys: ["Name"] });
const parts = fc.uniqueArray(part, { maxLength: 3, selector: ({ Name }) => Name });

/** A document. The random facts below apply to its members. */
const document = fc.record(
  {
    Text: fc.constantFrom("", "a", "b"),
    Count: fc.nat(2),
    Keyed: parts,
    List: fc.array(part, { maxLength: 3 }),
    Sorted: words,
    Sub: fc.record({ Deep: fc.nat(2), Map: fc.dictionary(word, word, { maxKeys: 2 }) }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
const documentFacts: fc.Arbitrary<DocumentFacts> = fc.record(
  {
    keyedBy: fc.constant({ Keyed: ["Name"] }),
    unordered: fc.constant(["Sorted", "Keyed.*.Tags"]),
    blocks: fc.constant(["Sub", "Sub.Map"]),
    empties: fc.subarray(["Text", "Count", "Keyed.*.Size"]),
    serverOwned: fc.subarray(["Count", "List.*.Size", "Sub.Deep"]),
    exact: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** A kind of field: its schema, its possible facts and its possible values. */
interface Kind {
  readonly schema: z.ZodType;
  readonly facts: fc.Arbitrary<Omit<Facts, "doc">>;
  readonly values: fc.Arbitrary<Json>;
}

const member = (facts: Omit<Facts, "doc"> = {}) => field(z.string().optional(), { doc: "", ...facts });
const kinds: Record<string, Kind> = {
  text: {
    schema: z.string(),
    facts: fc.constantFrom({}, { empty: "" }, { default: "a" }, { notRestored: true }),
    values: word,
  },
  list: {
    schema: z.array(z.string()),
    facts: fc.constantFrom({}, { unordered: true }, { empty: [] }),
    values: words,
  },
  shared: {
    schema: z.array(z.string()),
    facts: fc.constantFrom({ additive: true, empty: [] }, { additive: { unless: "alone" }, empty: [] }),
    values: words,
  },
  map: {
    schema: z.record(z.string(), z.string()),
    facts: fc.constantFrom({ empty: {} }, { additive: true, empty: {} }),
    values: fc.dictionary(word, word, { maxKeys: 3 }),
  },
  time: {
    schema: z.union([z.string(), z.number()]),
    facts: fc.constant({ spelling: durationInSeconds }),
    values: fc.constantFrom("1m", "60s", 60, 90),
  },
  group: {
    schema: z.strictObject({ one: member({ empty: "" }), two: member({ empty: "" }) }),
    facts: fc.constantFrom({}, { default: { one: "", two: "" } }, { empty: null }),
    values: fc.record({ one: word, two: word }, { requiredKeys: [] }),
  },
  document: {
    schema: z.record(z.string(), z.unknown()),
    facts: documentFacts.map((of) => ({ document: of, empty: {} })),
    values: document,
  },
};

/** A random definition with the possible values of its properties. */
const randomDefinition = fc
  .array(fc.constantFrom(...Object.entries(kinds)), { minLength: 1, maxLength: 4 })
  .chain((chosen) =>
    fc.tuple(...chosen.map(([, kind]) => kind.facts)).map((facts) => {
      const names = chosen.map(([name], index) => `${name}${index}`);
      const fields = chosen.map(([, { schema }], index) =>
        field(schema.optional(), { doc: "", wire: `${names[index]}`, ...facts[index] }),
      );
      const alone = field(z.boolean().optional(), { doc: "", role: "steering" });
      const definition: Definition = {
        ...exampleDefinition,
        fields: {
          ...Object.fromEntries(names.map((name, index) => [name, fields[index] as z.ZodType])),
          alone,
        },
      };
      const values = Object.fromEntries(
        names.map((name, index) => [name, (chosen[index] as [string, Kind])[1].values]),
      );
      const printed = { [fc.toStringMethod]: () => JSON.stringify(facts) };
      return {
        definition: Object.assign(definition, printed),
        values: fc.record(values, { requiredKeys: [] }) as fc.Arbitrary<Values>,
      };
    }),
  );

/** A random definition with programs, and with answers of the service that are independent of the programs. */
const scene = randomDefinition.chain(({ definition, values }) =>
  fc.record({
    definition: fc.constant(definition),
    lastApplied: values,
    desired: values,
    baseline: values,
    observed: values,
    current: values,
  }),
);

type Scene = typeof scene extends fc.Arbitrary<infer S> ? S : never;

// These programs contain no unknown values.
const modelOf = (definition: Definition, inputs: Values) => modelOfInputs(definition, inputs) as Model;

function comparisonOf({ definition, lastApplied, desired, baseline, observed }: Omit<Scene, "current">) {
  return {
    lastApplied: modelOf(definition, lastApplied),
    desired: modelOf(definition, desired),
    baseline: modelOfBody(definition, baseline as Answer),
    observed: modelOfBody(definition, observed as Answer),
  };
}

const pathsOf = (places: readonly { readonly path: Path }[]) => places.map(({ path }) => formatPath(path));

/** A model with the value at a path replaced. */
function withAt(value: Json | undefined, [segment, ...rest]: Path, to: Json | undefined): Json | undefined {
  if (segment === undefined) return to;
  const own = isObject(value) ? value : {};
  const { [segment]: before, ...others } = own;
  const after = withAt(before, rest, to);
  return after === undefined ? others : { ...others, [segment]: after };
}

/** The members of a value and the elements of its lists, each under a key. */
function leavesOf(value: Json | undefined, at = ""): Map<string, Json> {
  if (Array.isArray(value))
    return new Map(value.map((element) => [`${at}[${JSON.stringify(element)}]`, true]));
  if (isObject(value))
    return new Map(Object.entries(value).flatMap(([name, member]) => [...leavesOf(member, `${at}.${name}`)]));
  return new Map(value === undefined || isEmpty(value) ? [] : [[at, value]]);
}

const checkAll = (check: (scene: Scene) => void, numRuns = 500) =>
  fc.assert(fc.property(scene, check), { numRuns });

describe("comparison of random definitions, programs and answers", () => {
  test("a value stored as written shows no change, no conflict and nothing missing", () => {
    checkAll(({ definition, lastApplied }) => {
      const same = {
        definition,
        lastApplied,
        desired: lastApplied,
        baseline: lastApplied,
        observed: lastApplied,
      };
      const comparison = comparisonOf(same);
      expect(pathsOf(changesIn(definition, comparison))).toEqual([]);
      expect(pathsOf(conflictsIn(definition, comparison, comparison.observed))).toEqual([]);
      expect(missingIn(definition, lastApplied, { body: lastApplied, address: {} })).toEqual([]);
      expect(pathsOf(differencesIn(definition, comparison.observed, comparison.baseline))).toEqual([]);
    });
  });

  test("the same observation twice shows no conflict", () => {
    checkAll(({ current: _, ...scene }) => {
      const comparison = comparisonOf(scene);
      expect(pathsOf(conflictsIn(scene.definition, comparison, comparison.observed))).toEqual([]);
    });
  });

  test("a change by others to the value that the program writes is not a conflict", () => {
    checkAll(({ current: _, ...scene }) => {
      const comparison = comparisonOf(scene);
      const differences = conflictsIn(
        scene.definition,
        comparison,
        modelOfBody(scene.definition, scene.desired),
      );
      // A value that the program does not write belongs to others, or is restored to a value not written yet.
      const isWritten = ({ path }: { readonly path: Path }) =>
        valueAt(comparison.desired, path) !== undefined;
      expect(pathsOf(differences.filter(isWritten))).toEqual([]);
    });
  });

  test("an update without a conflict overwrites only values that an earlier read has shown", () => {
    checkAll(({ current, ...scene }) => {
      const { definition } = scene;
      const comparison = comparisonOf(scene);
      // Others change single members.
      const edited = Object.entries(current).map(([name, to]) => {
        const from = scene.observed[name];
        return [name, isObject(from) && isObject(to) ? { ...from, ...to } : to];
      });
      const now = modelOfBody(definition, { ...scene.observed, ...Object.fromEntries(edited) } as Answer);
      if (conflictsIn(definition, comparison, now).length > 0) return;
      for (const { path, to } of changesIn(definition, { ...comparison, observed: now })) {
        const [before, after] = [valueAt(now, path), to as Json | undefined];
        const shown = leavesOf(valueAt(comparison.observed, path));
        const lost = [...leavesOf(before)].filter(([at, value]) => leavesOf(after).get(at) !== value);
        expect(lost.filter(([at, value]) => shown.get(at) !== value)).toEqual([]);
      }
    }, 5_000);
  });

  test("after all changes are applied, no changes remain", () => {
    checkAll(({ current: _, ...scene }) => {
      const { definition } = scene;
      const comparison = comparisonOf(scene);
      const after = changesIn(definition, comparison).reduce<Model>(
        (model, { path, to }) => withAt(model as Answer, path, to as Json | undefined) as Model,
        comparison.observed,
      );
      const written = {
        lastApplied: comparison.desired,
        desired: comparison.desired,
        baseline: after,
        observed: after,
      };
      expect(pathsOf(changesIn(definition, written))).toEqual([]);
    });
  });

  test("a value that the program never wrote shows no change, no conflict and nothing missing", () => {
    checkAll(({ definition, baseline, observed, current }) => {
      const comparison = comparisonOf({ definition, lastApplied: {}, desired: {}, baseline, observed });
      expect(pathsOf(changesIn(definition, comparison))).toEqual([]);
      expect(pathsOf(conflictsIn(definition, comparison, modelOfBody(definition, current)))).toEqual([]);
      expect(missingIn(definition, {}, { body: current, address: {} })).toEqual([]);
    });
  });

  test("the differences of two models are symmetric", () => {
    checkAll(({ definition, baseline, observed }) => {
      const [one, other] = [modelOfBody(definition, baseline), modelOfBody(definition, observed)];
      const there = differencesIn(definition, one, other).map(({ path, ours, theirs }) => ({
        path,
        ours,
        theirs,
      }));
      const back = differencesIn(definition, other, one).map(({ path, ours, theirs }) => ({
        path,
        ours: theirs,
        theirs: ours,
      }));
      const sorted = (list: typeof there) =>
        [...list].sort((a, b) => (a.path.join() < b.path.join() ? -1 : 1));
      expect(sorted(back)).toEqual(sorted(there));
    });
  });

  test("a canonical value is already in its canonical form", () => {
    checkAll(({ definition, desired }) => {
      for (const each of fieldsOf(definition)) {
        const canonical = canonicalField(each, desired[each.name]);
        expect(canonicalField(each, canonical)).toEqual(canonical);
      }
    });
  });

  test("the order of members, of keyed elements and of unordered lists is insignificant", () => {
    checkAll(({ definition, desired }) => {
      const turned = Object.fromEntries(
        fieldsOf(definition).map((each) => [
          each.name,
          withReversedOrder(each.facts, desired[each.name] ?? null),
        ]),
      );
      expect(modelOf(definition, turned)).toEqual(modelOf(definition, desired));
    });
  });

  test("predict expects an answer equal to the inputs, and never one that lacks a managed value", () => {
    checkAll(({ definition, desired, observed, current }) => {
      const own = modelOfBody(definition, desired);
      const before = modelOfBody(definition, observed);
      expect(pathsOf(differencesIn(definition, predict(definition, desired, before, own), own))).toEqual([]);
      const body = current as Answer;
      const answer = modelOfBody(definition, body);
      const expected = predict(definition, desired, before, answer);
      const missing = missingIn(definition, desired, { body, address: {} });
      const shared = fieldsOf(definition)
        .filter(({ facts }) => facts.additive === true || facts.additive?.unless)
        .map(({ name }) => name);
      const managed = missing.filter(({ path: [name] }) => !shared.includes(String(name)));
      if (managed.length > 0) expect(equalJson(expected as Answer, answer as Answer)).toBe(false);
    });
  });

  test("a program that writes the refreshed values shows no changes", () => {
    checkAll(({ definition, lastApplied, baseline, observed, desired: _ }) => {
      // The baseline contains the written values.
      const answered = { ...baseline, ...lastApplied };
      const comparison = comparisonOf({
        definition,
        lastApplied,
        desired: lastApplied,
        baseline: answered,
        observed,
      });
      const inputs = Object.fromEntries(
        fieldsOf(definition).flatMap((each) => {
          const { name } = each;
          const written = lastApplied[name];
          if (written === undefined) return [];
          const source = {
            written,
            read: written,
            baseline: comparison.baseline[name],
            observed: comparison.observed[name],
          };
          const value = driftedValue(each, source, lastApplied);
          return value === undefined ? [] : [[name, value] as const];
        }),
      );
      const changes = changesIn(definition, { ...comparison, desired: modelOf(definition, inputs) });
      // A property that others removed completely is restored to its default.
      expect(pathsOf(changes.filter(({ field: { facts } }) => facts.default === undefined))).toEqual([]);
    });
  });

  test("each conflict has rows with paths inside the conflict and changed values", () => {
    checkAll(({ current, ...scene }) => {
      const differences = conflictsIn(
        scene.definition,
        comparisonOf(scene),
        modelOfBody(scene.definition, current),
      );
      for (const difference of differences) {
        const rows = rowsOfConflict(difference);
        expect(rows.length).toBeGreaterThan(0);
        for (const { path, base, theirs } of rows) {
          expect(path.slice(0, difference.path.length)).toEqual(difference.path);
          expect(base).not.toEqual(theirs);
        }
      }
    });
  });
});

/** A value with all its unordered parts in reverse order. */
function withReversedOrder({ unordered, additive, document: known }: Facts, value: Json): Json {
  const sets = new Set([...(known?.unordered ?? []), ...Object.keys(known?.keyedBy ?? {})]);
  const isSet = unordered === true || additive !== undefined;
  const turn = (at: Json, path: readonly string[], isOpen: boolean): Json => {
    if (Array.isArray(at)) {
      const elements = at.map((element) => turn(element, [...path, "*"], false));
      return isOpen || sets.has(path.join(".")) ? elements.reverse() : elements;
    }
    if (!isObject(at)) return at;
    const members = Object.entries(at).map(
      ([name, inner]) => [name, turn(inner, [...path, name], false)] as const,
    );
    return Object.fromEntries(members.reverse());
  };
  return turn(value, [], isSet);
}
