import { z } from "zod";
import { knownFactsOf } from "../../../provider/core/language/facts";
import { innerSchema, wireName } from "../../../provider/core/language/fields";
import { isObject, type Json } from "../../../provider/core/value/json";
import { functionOf } from "../../../provider/functions";
import workspace from "../../../provider/services/workspaces/workspace";
import { workspaceShown } from "../../../provider/services/workspaces/workspaceShown";
import tables from "./tables.json";
import { type Answered, answers } from "./worlds";

/** A table of the specification: the names that it lists, and their place in a response. */
interface Table {
  readonly section: string;
  /** The responses that the table describes, by their names in `worlds.ts`. */
  readonly answers: readonly string[];
  /** The place in the server's response: member names, `*` for each element. */
  readonly under: string;
  /** The place in the function's typed result; by default, the top level. */
  readonly typed?: string;
  readonly names: readonly string[];
  /** Full paths of names that the response, or the typed result, has in a different place than the table. */
  readonly rawAt?: Readonly<Record<string, string>>;
  readonly typedAt?: Readonly<Record<string, string>>;
}

const all: readonly Table[] = tables.map((table) => table as unknown as Table);

/** The program's names of members that the service's naming rule does not cover. */
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

/** Members that a function does not return, and why. */
const WITHHELD: Readonly<Record<string, string>> = {
  "mfaMethod api_token":
    "a write-only secret, which Vault never returns, so that the result contains no secret",
};

/** Members that have no example in the stub, and why. */
const WITHOUT_EXAMPLE: Readonly<Record<string, string>> = {
  "jobStubs Multiregion": "Nomad Enterprise only; the stub returns null",
};

/** Members that may be empty although their type requires a value, and why. */
const SOMETIMES_EMPTY: Readonly<Record<string, string>> = {
  "cloudRole credential_types":
    "a role of an earlier release has none, and the server returns an empty string",
};

let found: Readonly<Record<string, Answered>> = {};
beforeAll(async () => {
  found = await answers();
});

function responseOf(name: string): Answered {
  const answer = found[name];
  if (answer === undefined) throw new Error(`worlds.ts has no response ${name}`);
  return answer;
}

/** Every value at a place; `*` means each element of a list or a map. */
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

/** The schema of the object at a place of a function's result. */
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
  // zod declares the element as its core type, but it is a full schema.
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
  const { service } = functionOf(responseOf(answer).token);
  const own = RENAMED[answer]?.[wire];
  const isOf = (name: string) => {
    const schema = shape[name];
    return (schema && knownFactsOf(schema)?.wire) === wire || wireName(name, service.naming) === wire;
  };
  return own !== undefined && own in shape ? own : Object.keys(shape).find(isOf);
}

/** The place of a member's object in the typed result, and the member's name there. */
function typedPlace(
  own: Answered,
  whole: string | undefined,
  place: string,
  nameIn: (shape: Readonly<Record<string, z.ZodType>>) => string | undefined,
): readonly [string, string | undefined] {
  if (whole === undefined) return [place, nameIn(schemaAt(own, place))];
  const segments = whole.split(".");
  return [segments.slice(0, -1).join("."), segments.at(-1)];
}

const joinPath = (place: string, name: string) => (place === "" ? name : `${place}.${name}`);

const rows = all.flatMap((table) => table.answers.map((answer) => [table.section, answer, table] as const));

describe.each(rows)("%s, returned by %s:", (_, answer, table) => {
  const { under, typed = "", names, rawAt = {}, typedAt = {} } = table;
  const hasExample = (name: string) => WITHOUT_EXAMPLE[`${answer} ${name}`] === undefined;

  test("the stub returns a value for each name", () => {
    const { raw } = responseOf(answer);
    const hasValue = (name: string) =>
      at(raw, rawAt[name] ?? joinPath(under, name)).some((value) => value !== null);
    expect(names.filter((name) => hasExample(name) && !hasValue(name))).toEqual([]);
  });

  test("the function's schema has each name, and the result has values of its type", () => {
    const own = responseOf(answer);
    const isTyped = (name: string) => {
      const [place, member] = typedPlace(own, typedAt[name], typed, (shape) => nameOf(answer, name, shape));
      const schema = member === undefined ? undefined : schemaAt(own, place)[member];
      if (member === undefined || schema === undefined) return false;
      const empties = SOMETIMES_EMPTY[`${answer} ${name}`] === undefined ? [] : [""];
      const values = at(own.typed, joinPath(place, member)).filter(
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

test("the workspace resource shares only vcsRepo with the read-only fields of getWorkspace", () => {
  const shared = Object.keys(workspaceShown).filter((name) => name in workspace.fields);
  // The same property, with additional read-only members in the function.
  expect(shared).toEqual(["vcsRepo"]);
});

test("tables.json contains 319 names in 42 sections", () => {
  expect(all.reduce((sum, { names }) => sum + names.length, 0)).toBe(319);
  expect(new Set(all.map(({ section }) => section)).size).toBe(42);
});

test("every exception (withheld, without example, sometimes empty) refers to a name in a table", () => {
  const known = new Set(rows.flatMap(([, answer, { names }]) => names.map((name) => `${answer} ${name}`)));
  expect(
    [WITHHELD, WITHOUT_EXAMPLE, SOMETIMES_EMPTY].flatMap(Object.keys).filter((key) => !known.has(key)),
  ).toEqual([]);
});
