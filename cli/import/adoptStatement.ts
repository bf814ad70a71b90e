import { z } from "zod";
import type { Proposed } from "../../provider/core/bridge/proposed";
import { innerSchema } from "../../provider/core/language/documentFacts";
import { fieldNamed } from "../../provider/core/language/fields";
import type { AnyDefinition } from "../../provider/core/language/resource";
import { ownMember } from "../../provider/core/value/json";
import type { Path } from "../../provider/core/value/path";
import type {
  Members,
  ProgramValue,
  Reference,
  ResourceStatement,
  Setting,
  Statement,
} from "../programs/program";
import { definitionOf } from "./definitionOf";

/**
 * Finds the reference or the setting to write instead of a text; undefined to write the text.
 * @param path the names of the properties that contain the text, without list indexes: `vcsRepo.oauthTokenId`
 */
export type FindReference = (path: string, text: string) => Reference | Setting | undefined;

/**
 * A resource that adopts an existing object. Its secrets come from the stack's configuration, with the resource's name in
 * front of their paths.
 */
export function adoptStatement(
  { token, label, ...rest }: Pick<ResourceStatement, "token" | "label"> & Partial<ResourceStatement>,
  { inputs, secrets }: Pick<Proposed, "inputs" | "secrets">,
  findReference: FindReference = () => undefined,
): ResourceStatement & Statement {
  const definition = definitionOf(token);
  let own: Inside = inputs;
  for (const path of secrets) {
    const setting = new FromSetting([label, ...path].join("."), isMap(definition, path) ? "map" : "text");
    own = withSetting(own, path, setting) as Inside;
  }
  const isAdopted = fieldNamed(definition, "adopt") !== undefined;
  const written = membersOf(
    { ...(isAdopted && { adopt: true }), ...own },
    { path: "", schemaOf: (name) => fieldNamed(definition, name)?.schema, findReference },
  );
  // The order of the properties in the reference.
  const order = ["adopt", ...Object.keys(definition.fields)];
  const names = Object.keys(written).sort((one, other) => order.indexOf(one) - order.indexOf(other));
  const args = Object.fromEntries(names.map((name) => [name, written[name] as ProgramValue]));
  return { kind: "resource", token, label, variable: undefined, dependsOn: [], comment: [], ...rest, args };
}

type Inside = Readonly<Record<string, unknown>>;

/** The command that sets a secret of the program. The Pulumi CLI asks for its value. */
export function secretCommand({ name, type }: Setting): string {
  const command = `pulumi config set --secret ${JSON.stringify(name)}`;
  return type === "map" ? `${command}   # a JSON object` : command;
}

/** A value from the stack's configuration. */
class FromSetting {
  constructor(
    readonly name: string,
    readonly type: Setting["type"],
  ) {}
}

/** True if a path leads to a complete map. */
function isMap(definition: AnyDefinition, [name, ...inside]: Path): boolean {
  const schema = fieldNamed(definition, name)?.schema;
  return inside.length === 0 && schema !== undefined && innerSchema(schema) instanceof z.ZodRecord;
}

function withSetting(value: unknown, [segment, ...rest]: Path, setting: FromSetting): unknown {
  if (segment === undefined) return setting;
  if (Array.isArray(value))
    return value.map((part, index) => (index === segment ? withSetting(part, rest, setting) : part));
  const members = (value ?? {}) as Inside;
  return { ...members, [segment]: withSetting(members[segment], rest, setting) };
}

/** Where a value is in a program. */
interface Place {
  readonly path: string;
  /** The schema of a member here. Undefined if there is none, as in a JSON document. */
  readonly schemaOf: (name: string) => z.ZodType | undefined;
  readonly findReference: FindReference;
}

function membersOf(value: object, place: Place): Members {
  const { path, schemaOf } = place;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => {
      const schema = schemaOf(name);
      // A typed property accepts no null.
      if (part === undefined || (part === null && schema !== undefined)) return [];
      return [
        [name, modelOf(part, { ...placeIn(place, schema), path: path === "" ? name : `${path}.${name}` })],
      ];
    }),
  );
}

function placeIn(place: Place, schema: z.ZodType | undefined): Place {
  const inner = schema && innerSchema(schema);
  // zod types the inner schemas as its core type, but they are full schemas.
  if (inner instanceof z.ZodArray) return placeIn(place, inner.element as z.ZodType);
  const shape: Readonly<Record<string, z.ZodType>> = inner instanceof z.ZodObject ? inner.shape : {};
  return { ...place, schemaOf: (name) => ownMember(shape, name) };
}

function modelOf(value: unknown, place: Place): ProgramValue {
  if (value instanceof FromSetting)
    return { kind: "setting", name: value.name, isSecret: true, type: value.type };
  if (value === null) return { kind: "null" };
  switch (typeof value) {
    case "string":
      return place.findReference(place.path, value) ?? { kind: "text", text: value };
    case "boolean":
      return { kind: "boolean", boolean: value };
    case "number":
      return { kind: "number", number: value };
    // A number of the program would not be exact.
    case "bigint":
      return { kind: "text", text: String(value) };
    default:
      return Array.isArray(value)
        ? { kind: "list", elements: value.map((part) => modelOf(part, place)) }
        : { kind: "object", members: membersOf(value ?? {}, place) };
  }
}
