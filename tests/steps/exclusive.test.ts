import fc from "fast-check";
import { catalog } from "../../provider/catalog";
import { fieldNamed } from "../../provider/core/language/fields";
import type { Values } from "../../provider/core/language/object";
import { valueAtDotted } from "../../provider/core/language/rules";
import { ConflictError } from "../../provider/core/state/errors";
import type { Json } from "../../provider/core/value/json";
import { isEmpty } from "../../provider/core/value/scalar";
import { rounds } from "../rounds";
import { type DialectName, type Excluding, excluding } from "./exclusiveSides";
import { Resource } from "./resource";

const RUNS = rounds(30, 6);

/** Pairs of properties that the service never returns: another user's change to them cannot be detected. */
const NEVER_SHOWN = ["secrets:CloudRoot"];

/** Every pair in both directions, without documents (managed as one unit) and values that the service computes. */
const pairs = Object.entries(catalog).flatMap(([token, load]) => {
  const definition = load();
  const isInDocument = (name: string) =>
    fieldNamed(definition, name.split(".")[0])?.facts.document !== undefined;
  return (definition.rules ?? []).flatMap(({ exclusive }) => {
    const [first = "", second = ""] = exclusive?.pair ?? [];
    return [
      { token, given: first, rival: second },
      { token, given: second, rival: first },
    ].filter(({ rival }) => rival !== "" && rival !== exclusive?.computed && !isInDocument(rival));
  });
});
const shown = pairs.filter(({ token }) => !NEVER_SHOWN.includes(token));
const cases = shown.flatMap((pair) =>
  (["neutral", "real"] as const).map((dialect) => ({ ...pair, dialect })),
);

interface Case {
  readonly token: string;
  readonly given: string;
  readonly rival: string;
  readonly dialect: DialectName;
}

function partsOf({ token, given, rival }: Case) {
  const subject = excluding[token];
  const [own, other] = [given, rival].map((name) => subject?.sides[name]);
  if (subject === undefined || own === undefined || other === undefined)
    throw new Error(`${token}: nothing is known of ${given} and ${rival}`);
  return { subject, own, other };
}

async function setOutside(
  subject: Excluding,
  world: Resource["world"],
  dialect: DialectName,
  bodies: readonly Json[],
) {
  for (const body of bodies) await subject.send(world, dialect, body);
}

const dotted = (path: readonly (string | number)[]) => path.join(".");

/** The stored object, read by another user. */
async function readStored({ definition }: Excluding, { world, id }: Resource): Promise<Values> {
  const reader = new Resource(world, definition);
  await reader.get(id);
  return reader.record.observed as Values;
}

test("every exclusive pair of every definition has a test case", () => {
  expect(pairs.length).toBeGreaterThan(0);
  for (const pair of shown) expect(() => partsOf({ ...pair, dialect: "real" })).not.toThrow();
});

describe.each(cases)("$token ($dialect): the program sets $given, another user sets $rival", (pair) => {
  const { subject, own, other } = partsOf(pair);
  const { given, rival, dialect } = pair;
  const program = (value: Json, more: Values = {}): Values => ({
    ...subject.base,
    ...more,
    ...own.program(value),
  });

  async function createResource(value: Json, more: Values = {}) {
    const world = await subject.world(dialect);
    const resource = new Resource(world, subject.definition);
    await resource.create(program(value, more));
    return { world, resource };
  }

  test("a refresh shows the other user's value, one up clears it, and the next preview shows no changes", async () => {
    await fc.assert(
      fc.asyncProperty(own.values, other.values, async (mine, theirs) => {
        const { world, resource } = await createResource(mine);
        await resource.refresh();
        expect(resource.preview(program(mine)).changes).toEqual([]);

        await setOutside(subject, world, dialect, other.outside(theirs));
        expect(resource.preview(program(mine)).changes).toEqual([]);
        await resource.refresh();
        const { changes } = resource.preview(program(mine));
        expect(changes.map(({ path }) => dotted(path))).toContain(rival);
        expect(changes.every(({ cause }) => cause === "drift")).toBe(true);
        expect(isEmpty(valueAtDotted(resource.inputs, rival) ?? null)).toBe(false);

        await resource.up(program(mine));
        expect(resource.preview(program(mine)).changes).toEqual([]);
        await resource.refresh();
        expect(resource.preview(program(mine)).changes).toEqual([]);
        const now = await readStored(subject, resource);
        expect(isEmpty(valueAtDotted(now, given) ?? null)).toBe(false);
      }),
      { numRuns: RUNS },
    );
  });

  test("an update without a refresh is a conflict, and onConflict: overwrite clears the other user's value", async () => {
    const { unrelated } = subject;
    if (unrelated === undefined) return;
    await fc.assert(
      fc.asyncProperty(own.values, other.values, async (mine, theirs) => {
        const { world, resource } = await createResource(mine, unrelated.first);
        await setOutside(subject, world, dialect, other.outside(theirs));
        const before = await readStored(subject, resource);
        const edited = program(mine, unrelated.second);
        const failure = await resource.up(edited).catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(ConflictError);
        expect((failure as ConflictError).details.differences.map(({ path }) => dotted(path))).toContain(
          rival,
        );
        expect(await readStored(subject, resource)).toEqual(before);

        await resource.up({ ...edited, onConflict: "overwrite" });
        await resource.refresh();
        expect(resource.preview({ ...edited, onConflict: "overwrite" }).changes).toEqual([]);
        expect(isEmpty(valueAtDotted(await readStored(subject, resource), given) ?? null)).toBe(false);
      }),
      { numRuns: RUNS },
    );
  });

  test("an adoption clears the other user's value", async () => {
    await fc.assert(
      fc.asyncProperty(own.values, other.values, async (mine, theirs) => {
        const world = await subject.world(dialect);
        await subject.make?.(world, dialect);
        await setOutside(subject, world, dialect, other.outside(theirs));
        const resource = new Resource(world, subject.definition);
        const adopting = { ...program(mine), adopt: true };
        await resource.create(adopting);
        await resource.refresh();
        expect(resource.preview(adopting).changes).toEqual([]);
        expect(isEmpty(valueAtDotted(await readStored(subject, resource), given) ?? null)).toBe(false);
      }),
      { numRuns: RUNS },
    );
  });

  test("removing the program's property keeps the other user's value", async () => {
    await fc.assert(
      fc.asyncProperty(own.values, other.values, async (mine, theirs) => {
        const { world, resource } = await createResource(mine);
        const without = Object.fromEntries(
          Object.entries(program(mine)).filter(([name]) => name !== given.split(".")[0]),
        );
        if (resource.check(without).length > 0) return;
        await setOutside(subject, world, dialect, other.outside(theirs));
        await resource.refresh();
        const before = valueAtDotted(await readStored(subject, resource), rival);
        // Removing the parent structure also removes the other property.
        if (rival.split(".")[0] === given.split(".")[0]) return;
        await resource.up(without);
        expect(valueAtDotted(await readStored(subject, resource), rival)).toEqual(before);
      }),
      { numRuns: RUNS },
    );
  });
});
