import { z } from "zod";
import { knownFactsOf } from "../../../provider/core/language/facts";
import { innerSchema, wireName } from "../../../provider/core/language/fields";
import { isObject, type Json } from "../../../provider/core/value/json";
import { functionOf } from "../../../provider/functions";
import workspace from "../../../provider/services/workspaces/workspace";
import { workspaceShown } from "../../../provider/services/workspaces/workspaceShown";
import tables from "./tables.json";
import { type Answered, answers } from "./worlds";

/** A table of the specification: the names that it lists, and where in an answer they stand. */
interface Table {
  readonly section: string;
  /** The answers that the table is of, by their names in `worlds.ts`. */
  readonly answers: readonly string[];
  /** Where in the service's answer: members, `*` for each element. */
  readonly under: string;
  /** Where in the typed answer; where nothing is said, at the top. */
  readonly typed?: string;
  readonly names: readonly string[];
  /** Names that stand elsewhere in the service's answer, and in the typed one, than the table lists them: the whole place. */
  readonly saidAt?: Readonly<Record<string, string>>;
  readonly typedAt?: Readonly<Record<string, string>>;
}

const all: readonly Table[] = tables.map((table) => table as unknown as Table);

/** What the program's names are, where the rule of the service does not give them. */
const RENAMED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  workspace: { id: "workspaceId" },
  registryProvider: { id: "providerId" },
  registryProviders: { id: "providerId" },
  rekeyStatus: { t: "threshold", n: "shares" },
  rekeyVerification: { t: "threshold", n: "shares" },
  mfaMethod: { id: "methodId", name: "methodName" },
  loginEnforcement: { id: "enforcementId" },
  cloudRole: { credential_types: "credentialType" },
};

/** What a function does not answer, and why. */
const WITHHELD: Readonly<Record<string, string>> = {
  "mfaMethod api_token":
    "a secret of whoever wrote it, which the product never answers, so that the read is plain",
};

/** What the stub's world has no example of, and why. */
const WITHOUT_EXAMPLE: Readonly<Record<string, string>> = {
  "jobStubs Multiregion": "of an edition that the stub is not; it is answered as null",
};

/** What an object of the world has no value of, which its type would say: why. */
const SOMETIMES_EMPTY: Readonly<Record<string, string>> = {
  "cloudRole credential_types":
    "a role of an earlier release has none, and the service says so with an empty text",
};

let found: Readonly<Record<string, Answered>> = {};
beforeAll(async () => {
  found = await answers();
});

function answered(name: string): Answered {
  const answer = found[name];
  if (answer === undefined) throw new Error(`worlds.ts has no answer ${name}`);
  return answer;
}

/** Every value at a place; `*` stands for each element of a list or a map. */
function at(values: readonly Json[], place: string): readonly Json[] {
  const [first, ...rest] = place === "" ? [] : place.split(".");
  if (first === undefined) return values;
  const inside = values.flatMap((value) => {
    if (first === "*") return Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
    const member = isObject(value) ? value[first] : undefined;
    return member === undefined ? [] : [member];
  });
  return at(inside, rest.join("."));
}

/** The schema of what stands at a place of a function's result. */
function schemaAt({ token, property }: Answered, place: string): Readonly<Record<string, z.ZodType>> {
  const { result } = functionOf(token);
  const start = property === undefined ? z.object(result) : elementOf(result[property]);
  const segments = place === "" ? [] : place.split(".");
  const schema = segments.reduce<z.ZodType | undefined>((outer, segment) => {
    const inner = outer && innerSchema(outer);
    if (segment === "*") return elementOf(inner);
    return inner instanceof z.ZodObject ? (inner.shape as Record<string, z.ZodType>)[segment] : undefined;
  }, start);
  const object = schema && innerSchema(schema);
  if (!(object instanceof z.ZodObject)) throw new Error(`${token} has no object at ${place}`);
  return object.shape as Record<string, z.ZodType>;
}

function elementOf(schema: z.ZodType | undefined): z.ZodType {
  const outer = schema && innerSchema(schema);
  // zod types what stands inside as its core type; it holds full schemas.
  if (outer instanceof z.ZodArray) return outer.element as z.ZodType;
  if (outer instanceof z.ZodRecord) return outer.valueType as z.ZodType;
  throw new Error("a list or a map is needed");
}

/** The program's name of a member. */
function nameOf(
  answer: string,
  wire: string,
  shape: Readonly<Record<string, z.ZodType>>,
): string | undefined {
  const { service } = functionOf(answered(answer).token);
  const own = RENAMED[answer]?.[wire];
  const isOf = (name: string) => {
    const schema = shape[name];
    return (schema && knownFactsOf(schema)?.wire) === wire || wireName(name, service.naming) === wire;
  };
  return own !== undefined && own in shape ? own : Object.keys(shape).find(isOf);
}

/** The place of a member's object in the typed answer, and what the member is called there. */
function typedPlace(
  own: Answered,
  whole: string | undefined,
  place: string,
  called: (shape: Readonly<Record<string, z.ZodType>>) => string | undefined,
): readonly [string, string | undefined] {
  if (whole === undefined) return [place, called(schemaAt(own, place))];
  const segments = whole.split(".");
  return [segments.slice(0, -1).join("."), segments.at(-1)];
}

const joined = (place: string, name: string) => (place === "" ? name : `${place}.${name}`);

const rows = all.flatMap((table) => table.answers.map((answer) => [table.section, answer, table] as const));

describe.each(rows)("%s, as %s answers it", (_, answer, table) => {
  const { under, typed = "", names, saidAt = {}, typedAt = {} } = table;
  const hasExample = (name: string) => WITHOUT_EXAMPLE[`${answer} ${name}`] === undefined;

  test("is answered whole by the stub, with a value for each name", () => {
    const { said } = answered(answer);
    const isSaid = (name: string) =>
      at(said, saidAt[name] ?? joined(under, name)).some((value) => value !== null);
    expect(names.filter((name) => hasExample(name) && !isSaid(name))).toEqual([]);
  });

  test("is typed whole: the schema has each name, and the answer values of its type", () => {
    const own = answered(answer);
    const isTyped = (name: string) => {
      const [place, member] = typedPlace(own, typedAt[name], typed, (shape) => nameOf(answer, name, shape));
      const schema = member === undefined ? undefined : schemaAt(own, place)[member];
      if (member === undefined || schema === undefined) return false;
      const empties = SOMETIMES_EMPTY[`${answer} ${name}`] === undefined ? [] : [""];
      const values = at(own.typed, joined(place, member)).filter(
        (value) => !empties.includes(value as string),
      );
      return (
        values.every((value) => schema.safeParse(value).success) && (values.length > 0 || !hasExample(name))
      );
    };
    const answers = names.filter((name) => WITHHELD[`${answer} ${name}`] === undefined);
    expect(answers.filter((name) => !isTyped(name))).toEqual([]);
  });
});

test("what moves by itself is in functions only: a workspace has no such output", () => {
  const shared = Object.keys(workspaceShown).filter((name) => name in workspace.fields);
  // The same property, with what the service says beside it.
  expect(shared).toEqual(["vcsRepo"]);
});

test("the tables are all there: so many names, each in a section", () => {
  expect(all.reduce((sum, { names }) => sum + names.length, 0)).toBe(319);
  expect(new Set(all.map(({ section }) => section)).size).toBe(42);
});

test("nothing is withheld, or without an example, that no table names", () => {
  const known = new Set(rows.flatMap(([, answer, { names }]) => names.map((name) => `${answer} ${name}`)));
  expect(
    [WITHHELD, WITHOUT_EXAMPLE, SOMETIMES_EMPTY].flatMap(Object.keys).filter((key) => !known.has(key)),
  ).toEqual([]);
});
