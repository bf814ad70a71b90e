import { z } from "zod";
import { commonFields } from "../../provider/core/language/commonFields";
import { type Facts, knownFactsOf } from "../../provider/core/language/facts";
import { fieldsOf, innerSchema, type Specified } from "../../provider/core/language/fields";
import { isWritable } from "../../provider/core/language/role";
import { oneOfAt } from "./oneOf";

/** The type of a value, as far as generated code and documentation distinguish types. */
export type Shape =
  /** A `secretText` may also be written as the source of the secret. */
  | { readonly kind: "text" | "secretText" | "number" | "integer" | "boolean" | "anything" }
  | {
      readonly kind: "choice";
      readonly type: TypeName;
      readonly values: readonly string[];
      /** The meanings of the values, if they are known. */
      readonly meanings?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "list"; readonly of: Shape }
  | { readonly kind: "map"; readonly of: Shape }
  | {
      readonly kind: "object";
      readonly type: TypeName;
      readonly members: readonly Property[];
      /** The members of which at least one is set. */
      readonly oneOf?: readonly string[];
    }
  | { readonly kind: "either"; readonly of: readonly Shape[] };

/** The name of a type and its module; types shared by all services are in `index`. */
export interface TypeName {
  readonly module: string;
  readonly name: string;
}

/** The description of a property, a member of an object, or a setting. */
export interface Property {
  readonly name: string;
  readonly doc: string;
  readonly shape: Shape;
  readonly required: boolean;
  /**
   * For outputs: true if the server sets the property on every object. Computed properties are always set unless their schema
   * accepts null.
   */
  readonly alwaysSet: boolean;
  readonly facts: Partial<Facts>;
}

/**
 * The documented properties of a resource: its own first, then the shared ones. Properties that the SDK sets itself are left
 * out.
 */
export function propertiesOf(definition: Specified): Property[] {
  const { service, type } = partsOf(definition);
  const fields = fieldsOf(definition).filter(({ name }) => !name.startsWith("__"));
  const common = fields.filter(({ name, schema }) => isShared(name, schema));
  return [...fields.filter((field) => !common.includes(field)), ...common].map(
    ({ name, schema, facts, required }) => ({
      name,
      doc: documentationOf(facts),
      shape: withForms(
        definition,
        name,
        withSources(
          facts,
          shapeOf(
            schema,
            isShared(name, schema) ? shared(name) : { module: service, name: type + upper(name) },
          ),
        ),
      ),
      required: required && isWritable(facts),
      alwaysSet: isWritable(facts) ? required : !schema.safeParse(null).success,
      facts,
    }),
  );
}

/** True if a property is secret: as a whole, or as a document whose values are all secret. */
export function isSecretAsWhole({ secret, document }: Partial<Facts>): boolean {
  return secret === true || document?.secret?.includes("*") === true;
}

/** Allows a secret source for the secret texts in a shape. */
function withSources(facts: Partial<Facts>, shape: Shape): Shape {
  const isSecret = isSecretAsWhole(facts) && isWritable(facts);
  switch (shape.kind) {
    case "text":
      return isSecret ? { kind: "secretText" } : shape;
    case "list":
    case "map":
      return { ...shape, of: withSources(facts, shape.of) };
    case "object":
      return {
        ...shape,
        members: shape.members.map((member) => ({
          ...member,
          shape: withSources(member.facts, member.shape),
        })),
      };
    default:
      return shape;
  }
}

/** Adds to each object in a shape the members of which at least one must be set. */
function withForms(definition: Specified, path: string, shape: Shape): Shape {
  switch (shape.kind) {
    case "list":
      return { ...shape, of: withForms(definition, `${path}[]`, shape.of) };
    case "either":
      return { ...shape, of: shape.of.map((part) => withForms(definition, path, part)) };
    case "object": {
      const oneOf = oneOfAt(definition, path);
      const members = shape.members.map((member) => ({
        ...member,
        shape: withForms(definition, `${path}.${member.name}`, member.shape),
      }));
      return { ...shape, members, ...(oneOf && { oneOf }) };
    }
    default:
      return shape;
  }
}

/** True if a text in the shape accepts a secret source. */
export function mayBeElsewhere(shape: Shape): boolean {
  if (shape.kind === "list" || shape.kind === "map") return mayBeElsewhere(shape.of);
  if (shape.kind === "object") return shape.members.some((member) => mayBeElsewhere(member.shape));
  return shape.kind === "secretText";
}

/** The two parts of a definition's token: `scheduler` and `Job`. */
export function partsOf({ token }: Specified): { readonly service: string; readonly type: string } {
  const [service = "", type = ""] = token.split(":");
  return { service, type };
}

/** The documentation of a property as an input. */
function documentationOf({ doc = "", toWrite = "" }: Partial<Facts>): string {
  return `${doc} ${toWrite}`.trim();
}

/** The facts of a member of a result, without facts that matter only for inputs. */
function answeredFacts({
  toWrite: _,
  default: __,
  deprecated: ___,
  ...facts
}: Partial<Facts>): Partial<Facts> {
  return facts;
}

/**
 * The properties of a record of schemas, such as a service's settings.
 * @param isAnswer true for the result of a function, which no program writes
 */
export function membersOf(
  schemas: Readonly<Record<string, z.ZodType>>,
  type: TypeName,
  isAnswer = false,
): Property[] {
  return Object.entries(schemas).map(([name, schema]) => {
    const known: Partial<Facts> = knownFactsOf(schema) ?? {};
    const facts = isAnswer ? answeredFacts(known) : known;
    const required = !schema.safeParse(undefined).success;
    return {
      name,
      doc: documentationOf(facts),
      shape: shapeOf(schema, { ...type, name: type.name + upper(name) }, isAnswer),
      required,
      alwaysSet: required,
      facts,
    };
  });
}

/**
 * The shape of a schema.
 * @param type the name for an object or a choice in it
 * @throws TypeError for a schema that the generators do not support
 */
export function shapeOf(schema: z.ZodType, type: TypeName, isAnswer = false): Shape {
  const inner = innerSchema(schema);
  // zod declares the inner schemas with its core type, but they are full schemas.
  const inside = (part: unknown) => shapeOf(part as z.ZodType, type, isAnswer);
  if (inner instanceof z.ZodObject) {
    const { typeName, oneOf }: Partial<Facts> = knownFactsOf(inner) ?? {};
    const own = { ...type, name: typeName ?? type.name };
    const members = membersOf(inner.shape as Record<string, z.ZodType>, own, isAnswer);
    return { kind: "object", type: own, members, ...(oneOf && { oneOf }) };
  }
  if (inner instanceof z.ZodArray) {
    const of = shapeOf(inner.element as z.ZodType, { ...type, name: singular(type.name) }, isAnswer);
    return { kind: "list", of };
  }
  if (inner instanceof z.ZodRecord) return { kind: "map", of: inside(inner.valueType) };
  if (inner instanceof z.ZodUnion) return { kind: "either", of: inner.options.map(inside) };
  if (inner instanceof z.ZodEnum) {
    const meanings = knownFactsOf(inner)?.meanings;
    return { kind: "choice", type, values: inner.options.map(String), ...(meanings && { meanings }) };
  }
  if (inner instanceof z.ZodUnknown || inner instanceof z.ZodAny) return { kind: "anything" };
  return plainShape(inner, type);
}

/** The singular: `Entry` for `Entries`, `Match` for `Matches`, `TaskGroup` for `TaskGroups`. */
function singular(plural: string): string {
  return plural.replace(/ies$/, "ys").replace(/((?<=ch|sh|ss|x)e)?s$/, "");
}

function plainShape(schema: z.ZodType, type: TypeName): Shape {
  const { type: named } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  if (named === "string") return { kind: "text" };
  if (named === "number" || named === "integer" || named === "boolean") return { kind: named };
  throw new TypeError(`${type.module}:${type.name} is of a type that cannot be generated: ${schema.type}`);
}

function isShared(name: string, schema: z.ZodType): boolean {
  return Object.entries(commonFields).some(([own, common]) => own === name && common === schema);
}

function shared(name: string): TypeName {
  return { module: "index", name: upper(name) };
}

/** A name with a capital first letter. */
export function upper(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Every named type in a shape, inner types first. */
export function namedTypesIn(shape: Shape): Extract<Shape, { type: TypeName }>[] {
  switch (shape.kind) {
    case "list":
    case "map":
      return namedTypesIn(shape.of);
    case "either":
      return shape.of.flatMap(namedTypesIn);
    case "object":
      return [...shape.members.flatMap((member) => namedTypesIn(member.shape)), shape];
    case "choice":
      return [shape];
    default:
      return [];
  }
}
