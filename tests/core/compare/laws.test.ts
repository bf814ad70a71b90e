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
import { durationInSeconds } from "../../../provider/core/value/spelling";
import { quay } from "../../generate/harbour";

type Answer = { [member: string]: Json };

const word = fc.constantFrom("a", "b", "c", "d");
const words = fc.uniqueArray(word, { maxLength: 4 });
const part = fc.record({ Name: word, Size: fc.nat(2), Tags: words }, { requiredKeys: ["Name"] });
const parts = fc.uniqueArray(part, { maxLength: 3, selector: ({ Name }) => Name });

/** A document in which anything may be known of anything. */
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

/** A kind of field: what is known of it, and what may be written there. */
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
    facts: fc.constant({}),
    values: fc.record({ one: word, two: word }, { requiredKeys: [] }),
  },
  document: {
    schema: z.record(z.string(), z.unknown()),
    facts: documentFacts.map((of) => ({ document: of, empty: {} })),
    values: document,
  },
};

/** A random definition, with what may be written in its properties. */
const world = fc
  .array(fc.constantFrom(...Object.entries(kinds)), { minLength: 1, maxLength: 4 })
  .chain((chosen) =>
    fc.tuple(...chosen.map(([, kind]) => kind.facts)).map((facts) => {
      const names = chosen.map(([name], index) => `${name}${index}`);
      const fields = chosen.map(([, { schema }], index) =>
        field(schema.optional(), { doc: "", wire: `${names[index]}`, ...facts[index] }),
      );
      const alone = field(z.boolean().optional(), { doc: "", role: "steering" });
      const definition: Definition = {
        ...quay,
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

/** A random definition with programs of it, and answers of its service that know nothing of them. */
const scene = world.chain(({ definition, values }) =>
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

// Programs here hold no unknown values.
const modelOf = (definition: Definition, inputs: Values) => modelOfInputs(definition, inputs) as Model;

function standingOf({ definition, lastApplied, desired, baseline, observed }: Omit<Scene, "current">) {
  return {
    lastApplied: modelOf(definition, lastApplied),
    desired: modelOf(definition, desired),
    baseline: modelOfBody(definition, baseline as Answer),
    observed: modelOfBody(definition, observed as Answer),
  };
}

const pathsOf = (places: readonly { readonly path: Path }[]) => places.map(({ path }) => formatPath(path));

/** A model with another value at a path. */
function withAt(value: Json | undefined, [segment, ...rest]: Path, to: Json | undefined): Json | undefined {
  if (segment === undefined) return to;
  const own = isObject(value) ? value : {};
  const { [segment]: before, ...others } = own;
  const after = withAt(before, rest, to);
  return after === undefined ? others : { ...others, [segment]: after };
}

const law = (holds: (scene: Scene) => void) => fc.assert(fc.property(scene, holds), { numRuns: 500 });

describe("for random definitions, programs and answers:", () => {
  test("what the service holds just as it was written is no change, no difference, and not missing", () => {
    law(({ definition, lastApplied }) => {
      const same = {
        definition,
        lastApplied,
        desired: lastApplied,
        baseline: lastApplied,
        observed: lastApplied,
      };
      const standing = standingOf(same);
      expect(pathsOf(changesIn(definition, standing))).toEqual([]);
      expect(pathsOf(conflictsIn(definition, standing, standing.observed))).toEqual([]);
      expect(missingIn(definition, lastApplied, { body: lastApplied, address: {} })).toEqual([]);
      expect(pathsOf(differencesIn(definition, standing.observed, standing.baseline))).toEqual([]);
    });
  });

  test("what is observed twice was moved by nobody", () => {
    law(({ current: _, ...scene }) => {
      const standing = standingOf(scene);
      expect(pathsOf(conflictsIn(scene.definition, standing, standing.observed))).toEqual([]);
    });
  });

  test("what others made just as the program wants it is no conflict", () => {
    law(({ current: _, ...scene }) => {
      const standing = standingOf(scene);
      const differences = conflictsIn(
        scene.definition,
        standing,
        modelOfBody(scene.definition, scene.desired),
      );
      // What it does not write is another's, or goes back to what nobody has brought about yet.
      const isWritten = ({ path }: { readonly path: Path }) => valueAt(standing.desired, path) !== undefined;
      expect(pathsOf(differences.filter(isWritten))).toEqual([]);
    });
  });

  test("a change that is carried out is no change any more", () => {
    law(({ current: _, ...scene }) => {
      const { definition } = scene;
      const standing = standingOf(scene);
      const after = changesIn(definition, standing).reduce<Model>(
        (model, { path, to }) => withAt(model as Answer, path, to as Json | undefined) as Model,
        standing.observed,
      );
      const written = {
        lastApplied: standing.desired,
        desired: standing.desired,
        baseline: after,
        observed: after,
      };
      expect(pathsOf(changesIn(definition, written))).toEqual([]);
    });
  });

  test("what a program never wrote is neither changed nor told", () => {
    law(({ definition, baseline, observed, current }) => {
      const standing = standingOf({ definition, lastApplied: {}, desired: {}, baseline, observed });
      expect(pathsOf(changesIn(definition, standing))).toEqual([]);
      expect(pathsOf(conflictsIn(definition, standing, modelOfBody(definition, current)))).toEqual([]);
      expect(missingIn(definition, {}, { body: current, address: {} })).toEqual([]);
    });
  });

  test("two models differ in the same places, whichever is asked first", () => {
    law(({ definition, baseline, observed }) => {
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

  test("what is canonical stays as it is", () => {
    law(({ definition, desired }) => {
      for (const each of fieldsOf(definition)) {
        const canonical = canonicalField(each, desired[each.name]);
        expect(canonicalField(each, canonical)).toEqual(canonical);
      }
    });
  });

  test("the order of members means nothing, nor that of what has keys or is a set", () => {
    law(({ definition, desired }) => {
      const turned = Object.fromEntries(
        fieldsOf(definition).map((each) => [each.name, turnedRound(each.facts, desired[each.name] ?? null)]),
      );
      expect(modelOf(definition, turned)).toEqual(modelOf(definition, desired));
    });
  });

  test("our own answer is expected, and an answer that lacks what was written never is", () => {
    law(({ definition, desired, observed, current }) => {
      const own = modelOfBody(definition, desired);
      const before = modelOfBody(definition, observed);
      expect(pathsOf(differencesIn(definition, predict(definition, desired, before, own), own))).toEqual([]);
      const body = current as Answer;
      const answer = modelOfBody(definition, body);
      const expected = predict(definition, desired, before, answer);
      const lacks = missingIn(definition, desired, { body, address: {} });
      const shared = fieldsOf(definition)
        .filter(({ facts }) => facts.additive === true || facts.additive?.unless)
        .map(({ name }) => name);
      const managed = lacks.filter(({ path: [name] }) => !shared.includes(String(name)));
      if (managed.length > 0) expect(equalJson(expected as Answer, answer as Answer)).toBe(false);
    });
  });

  test("a program that writes what a refresh hands back changes nothing", () => {
    law(({ definition, lastApplied, baseline, observed, desired: _ }) => {
      // What the service settled on holds what was written.
      const answered = { ...baseline, ...lastApplied };
      const standing = standingOf({
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
            baseline: standing.baseline[name],
            observed: standing.observed[name],
          };
          const value = driftedValue(each, source, lastApplied);
          return value === undefined ? [] : [[name, value] as const];
        }),
      );
      const changes = changesIn(definition, { ...standing, desired: modelOf(definition, inputs) });
      // What was taken away altogether goes back to its default.
      expect(pathsOf(changes.filter(({ field: { facts } }) => facts.default === undefined))).toEqual([]);
    });
  });

  test("each difference is told in rows that lie in it, each of which moved", () => {
    law(({ current, ...scene }) => {
      const differences = conflictsIn(
        scene.definition,
        standingOf(scene),
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

/** A value with everything the other way round that has no order. */
function turnedRound({ unordered, additive, document: known }: Facts, value: Json): Json {
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
