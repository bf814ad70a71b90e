import { z } from "zod";
import { addressOf, knownAddress } from "../language/address";
import { field } from "../language/facts";
import { fieldsOf, unwrapped } from "../language/fields";
import { ownIdForms } from "../language/id";
import type { Address, Observation } from "../language/object";
import { answeredParts, type Parts } from "../language/place";
import type { Definition } from "../language/resource";
import { isAddress, isShown, isWritable } from "../language/role";
import { partsInPath } from "../language/route";
import { objectContextOf } from "../requests/context";
import { outputsOf } from "../state/outputs";
import { RECORDS } from "../state/records";
import { readAt } from "../steps/object/read";
import type { Json } from "../value/json";
import { defineFunction, type FunctionDefinition, functionFields, membersOf } from "./define";

/** What a function that reads one object of a definition adds to it. */
export interface ReadOptions {
  /** Default: `get` and the definition's own type. */
  readonly token?: FunctionDefinition["token"];
  readonly doc?: string;
  /** How the object is named; its identity where nothing else is said. */
  readonly by?: Readonly<Record<string, z.ZodType>>;
  readonly rules?: FunctionDefinition["rules"];
  /** What the service shows of it beyond the resource's properties, because it moves by itself. */
  readonly more?: Readonly<Record<string, z.ZodType>>;
}

/** The function that reads one object of a definition, with everything that the service shows of it. */
export function readFunction(
  definition: Definition,
  { token, doc, by, rules, more = {} }: ReadOptions = {},
): FunctionDefinition {
  const [service = "", type = ""] = definition.token.split(":");

  const { section, where } = definition;
  const reading: FunctionDefinition = defineFunction({
    token: token ?? `${service}:get${type}`,
    doc: doc ?? `Reads ${whatIsRead(definition.doc)} It is an error where there is none.`,
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
        doc: `The id, as a resource of this kind has it: ${ownIdForms(where.id)
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
        // The connection of a call tells what the service warns of already.
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

/** The first sentence of what a definition is, after a verb; the others are for who writes it. */
function whatIsRead(doc: string): string {
  const [first = ""] = doc.split(/(?<=\.) /);
  return first.charAt(0).toLowerCase() + first.slice(1);
}

/** The settings stand in only for parts of the address that the function takes. */
function ownDefaults({ defaults = {} }: Parts, by: ReadOptions["by"]) {
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => by === undefined || name in by));
}

/** The properties that make an object's address, as a definition lists them. */
export function identityOf(definition: Definition): Record<string, z.ZodType> {
  const fields = fieldsOf(definition).filter(({ facts }) => isAddress(facts));
  return Object.fromEntries(fields.map(({ name, schema }) => [name, schema]));
}

/** The properties of a definition that its service shows. What only the service sets is always there. */
export function shownFields(definition: Definition): Record<string, z.ZodType> {
  const shown = fieldsOf(definition).filter(({ facts }) => isShown(facts));
  return Object.fromEntries(
    shown.map(({ name, schema, facts }) => {
      const isAlways = !isWritable(facts) && !schema.safeParse(null).success;
      return [name, isAlways ? field(unwrapped(schema), facts) : schema];
    }),
  );
}

/** An object as a function answers it: what its service shows, by the program's names, and what it shows beyond that. */
export function shown(
  definition: Definition,
  body: Observation["body"],
  address: Address,
  more: NonNullable<ReadOptions["more"]> = {},
): Json {
  const record = { address, applied: {}, settled: {}, seen: {} };
  const own = answeredParts(definition.where, body);
  const outputs = outputsOf(definition, {}, { ...record, address: { ...address, ...own } }, body);
  return { ...withoutRecords(outputs), ...membersOf(more, body, definition.service.naming) };
}

function withoutRecords({ [RECORDS]: _, ...outputs }: { [property: string]: Json }): {
  [property: string]: Json;
} {
  return outputs;
}
