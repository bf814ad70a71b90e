import { z } from "zod";
import {
  type AbsenceProof,
  elementsIn,
  field,
  get,
  isObject,
  type Json,
  type Listing,
  setting,
} from "../../core";
import { givenText, itemsBy } from "./lists";
import { inRegion } from "./service";

/** The region of an object that Nomad copies from the authoritative region to the others. */
export const regionField = field(z.string().min(1).optional(), {
  doc: "Region to send the requests to.",
  toWrite:
    "Default: the connection's, then the agent's. With ACLs, Nomad stores the object in the authoritative region and copies it to the others with a delay, so name the authoritative region.",
  location: "address",
});

/** The sources of the address of such an object. */
export const copiedPlace = { defaults: { region: setting("region") } } as const;

/** The proof that such an object no longer exists: Nomad's own 404 with this text. */
export const goneWith = (says: string): AbsenceProof => ({
  evidence: `Nomad returns 404 "${says}"`,
  proves: ({ status, text }) => status === 404 && text.trim().toLowerCase() === says.toLowerCase(),
});

const nameOf = (item: Json) => (isObject(item) ? givenText(item.Name) : undefined);

/** Lists the names of objects that have further members in a list. */
export function namesIn(path: string) {
  return {
    route: get(path, { query: inRegion }),
    itemContent: "stubs",
    pages: { by: "whole" },
    filters: {
      prefix: field(z.string().optional(), { doc: "Prefix of the names.", role: "steering" }),
    },
    query: ({ prefix }) => ({ prefix: givenText(prefix) }),
    items: ({ json }) => elementsIn(json),
    displayName: nameOf,
  } as const satisfies Listing;
}

/** Lists complete objects by name. */
export function listOf(path: string, apart: (name: string) => string | undefined) {
  return {
    ...namesIn(path),
    itemContent: "whole",
    refreshData: {
      hasBlockingQueries: true,
      key: ({ name }) => name,
      responses: itemsBy("Name"),
    },
    whyUnmanageable: (item) => apart(nameOf(item) ?? ""),
  } as const satisfies Listing;
}

/** The name of an object: its identity, in the path and in the body. */
export const nameField = (accepts: RegExp, form: string, doc: string) =>
  field(z.string().regex(accepts, `must contain only ${form.replaceAll("`", "")}`), {
    doc: `${doc}: ${form}.`,
    role: "identity",
  });

/** The longest description, in bytes (Nomad, `nomad/structs`). */
const LONGEST = 256;

/** A description for people. */
export const descriptionField = field(
  z
    .string()
    .refine((value) => Buffer.byteLength(value) <= LONGEST, `must have at most ${LONGEST} bytes`)
    .optional(),
  { doc: "Description for people, at most 256 bytes.", empty: "" },
);

/** Metadata of an object. */
export const metaField = field(z.record(z.string(), z.string()).optional(), {
  doc: "Metadata with your own keys. Managed as one unit.",
  empty: {},
});
