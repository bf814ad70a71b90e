import { z } from "zod";
import { addressOf, knownAddress } from "../language/address";
import { field } from "../language/facts";
import { fieldsOf, innerSchema } from "../language/fields";
import { ownIdForms } from "../language/id";
import type { Address, Observation } from "../language/object";
import { type AddressParts, partsFromResponse } from "../language/place";
import type { Definition } from "../language/resource";
import { isAddress, isShown, isWritable } from "../language/role";
import { partsInPath } from "../language/route";
import { readAt } from "../operations/read";
import { objectContextOf } from "../requests/context";
import { outputsOf } from "../state/outputs";
import { RECORDS } from "../state/records";
import type { Json } from "../value/json";
import { NO_INPUTS } from "../value/programInputs";
import { defineFunction, type FunctionDefinition, functionFields, membersOf } from "./define";

/** The additional options of a function that reads one object of a definition. */
export interface ReadOptions {
  /** Default: `get` and the definition's own type. */
  readonly token?: FunctionDefinition["token"];
  readonly doc?: string;
  /** The arguments that name the object. Default: its identity. */
  readonly by?: Readonly<Record<string, z.ZodType>>;
  readonly rules?: FunctionDefinition["rules"];
  /**
   * Members that the server returns in addition to the resource's properties. A resource leaves these out because they
   * change without a write.
   */
  readonly more?: Readonly<Record<string, z.ZodType>>;
}

/** The function that reads one object of a definition, with everything that the server returns. */
export function readFunction(
  definition: Definition,
  { token, doc, by, rules, more = {} }: ReadOptions = {},
): FunctionDefinition {
  const [service = "", type = ""] = definition.token.split(":");

  const { section, where } = definition;
  const reading: FunctionDefinition = defineFunction({
    token: token ?? `${service}:get${type}`,
    doc: doc ?? `Reads ${whatIsRead(definition.doc)} A missing object is an error.`,
    section,
    service: definition.service,
    fields: { ...(by ?? identityOf(definition)), ...functionFields },
    ...(rules && { rules }),
    where: {
      defaults: ownDefaults(where, by),
      ...(by === undefined && { needed: partsInPath(definition.life.reads.one) }),
      ...(where.follows && { follows: where.follows }),
    },
    result: {
      id: field(z.string(), {
        doc: `ID of the object: ${ownIdForms(where.id)
          .map((form) => `\`${form}\``)
          .join(" or ")}.`,
      }),
      ...shownFields(definition),
      ...more,
    },
    asks: {
      kind: "call",
      call: async (context, args) => {
        const address = knownAddress(addressOf(reading, context.connection, args));
        // The connection of a call already logs the warnings of the service.
        const { connection, label, deadline } = context;
        const found = await readAt(
          { ...objectContextOf(definition, "read", context), connection, label, deadline },
          address,
        );
        const extra = membersOf(more, found.body ?? {}, definition.service.naming);
        return { ...withoutRecords(found.outputs), ...extra, id: found.id };
      },
    },
  });
  return reading;
}

/**
 * The first sentence of a definition's description, in the form that follows a verb. The other sentences are for authors of
 * resources.
 */
function whatIsRead(doc: string): string {
  const [first = ""] = doc.split(/(?<=\.) /);
  const isName = /^(?:[A-Z]{2}|AWS|Consul|HCP|LDAP|Nomad|Okta|RabbitMQ|Vault)/.test(first);
  const text = isName ? first : first.charAt(0).toLowerCase() + first.slice(1);
  return /^(?:an?|the|one|how) /i.test(first) ? text : `the ${text}`;
}

/** Settings are defaults only for parts of the address that the function accepts. */
function ownDefaults({ defaults = {} }: AddressParts, by: ReadOptions["by"]) {
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => by === undefined || name in by));
}

/** The properties of an object's address, in the definition's order. */
export function identityOf(definition: Definition): Record<string, z.ZodType> {
  const fields = fieldsOf(definition).filter(({ facts }) => isAddress(facts));
  return Object.fromEntries(fields.map(({ name, schema }) => [name, schema]));
}

/** The properties of a definition that its service returns. Read-only properties are always present. */
export function shownFields(definition: Definition): Record<string, z.ZodType> {
  const properties = fieldsOf(definition).filter(({ facts }) => isShown(facts));
  return Object.fromEntries(
    properties.map(({ name, schema, facts }) => {
      const isAlways = !isWritable(facts) && !schema.safeParse(null).success;
      return [name, isAlways ? field(innerSchema(schema), facts) : schema];
    }),
  );
}

/** An object as a function returns it: the server's values under the program's names, and the additional members. */
export function functionResult(
  definition: Definition,
  body: Observation["body"],
  address: Address,
  more: NonNullable<ReadOptions["more"]> = {},
): Json {
  const record = { address, lastApplied: NO_INPUTS, baseline: {}, observed: {} };
  const own = partsFromResponse(definition.where, body);
  const outputs = outputsOf(definition, {}, { ...record, address: { ...address, ...own } }, body);
  return { ...withoutRecords(outputs), ...membersOf(more, body, definition.service.naming) };
}

function withoutRecords({ [RECORDS]: _, ...outputs }: { [property: string]: Json }): {
  [property: string]: Json;
} {
  return outputs;
}
