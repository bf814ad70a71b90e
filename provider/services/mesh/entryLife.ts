import { z } from "zod";
import {
  type Address,
  checksByRead,
  del,
  deletesChecked,
  type ExpectedMembers,
  elementsIn,
  field,
  get,
  isObject,
  type Json,
  type Listing,
  object,
  ownMember,
  place,
  put,
  repeatableWrite,
  replaces,
  ServiceError,
  setting,
  stringIn,
} from "../../core";
import { waitForCopy } from "./entryCopy";
import { fixedNames } from "./entryDocument";
import { isEnterpriseOnly, isFiltered, inPlace as query, real, withOwnName } from "./service";

/** The address of an entry of this kind and name. Each of the two is a part of the address, or a fixed word. */
export function placeOf(kind: string, name: string) {
  return place([`[{partition}@]{datacenter}/{namespace}/${kind}/${name}`, `${kind}/${name}`], {
    defaults: {
      datacenter: setting("datacenter"),
      namespace: setting("namespace", { unset: "default" }),
      partition: setting("partition", { unset: "default" }),
    },
    fromResponse: { namespace: "Namespace", partition: "Partition" },
    names: { name: { comparedAs: (own, { dialect }) => (dialect === real ? own.toLowerCase() : own) } },
  });
}

/** Lists the entries of a kind: complete entries, in one response. */
function entriesOf(kind: string, name: string) {
  return {
    route: get(`/config/${kind}`, { query }),
    itemContent: "whole",
    pages: { by: "whole" },
    filters: {
      filter: field(z.string().optional(), {
        doc: "Filter expression that Consul evaluates on each entry: a string, or an expression built with this package's `filter`, which quotes values correctly.",
        role: "steering",
        isFilter: true,
      }),
    },
    query: ({ filter }) => (typeof filter === "string" && filter !== "" ? { filter } : {}),
    items: ({ json }) => elementsIn(json).map(withName),
    whyUnmanageable: (entry) =>
      isObject(entry) && entry.Kind === "bound-api-gateway"
        ? "Consul creates it from an api-gateway and its routes"
        : undefined,
    refreshData: {
      hasBlockingQueries: true,
      permission: "only the permissions of a read",
      key: (address) => (name === "{name}" ? address.name : name),
      responses: (page, { dialect }) =>
        isFiltered(dialect, page)
          ? []
          : elementsIn(page.json)
              .filter(isObject)
              .map((entry) => [stringIn(nameIn(entry)), entry] as const),
    },
    notes: (page, { dialect }, address) =>
      isFiltered(dialect, page)
        ? [
            `the token cannot see every ${address.kind ?? kind} entry: Consul filtered the response, so an entry that is missing here may exist`,
          ]
        : [],
  } as const satisfies Listing;
}

function withName(entry: Json): Json {
  const name = isObject(entry) ? nameIn(entry) : undefined;
  return isObject(entry) && name !== undefined ? { ...entry, Name: name } : entry;
}

/** An entry's name. A response may omit the name if the kind has only one. */
function nameIn({ Name: own, Kind: kind }: { readonly [member: string]: Json }): Json | undefined {
  return typeof own === "string" ? own : ownMember(fixedNames, String(kind));
}

/**
 * The address on Community Edition, for an ID that contains `default`. That edition has only one namespace and one
 * partition. Consul rejects every request that names them.
 */
function onCommunityEdition({ status, words }: ServiceError, address: Address): Address | undefined {
  const { namespace, partition, ...place } = address;
  const named = [namespace, partition].filter((part) => part !== undefined);
  const isDefault = named.length > 0 && named.every((part) => part === DEFAULT);
  return isDefault && status === 400 && isEnterpriseOnly({ text: words }) ? place : undefined;
}

const DEFAULT = "default";

/** The lifecycle of an entry of this kind and name. `own` contains body members in addition to the program's. */
export function lifeOf(
  kind: string,
  name: string,
  { expects, own = {} }: { readonly expects: ExpectedMembers; readonly own?: Readonly<Record<string, Json>> },
) {
  const one = `/config/${kind}/${name}`;
  return object({
    reads: {
      one: get(one, { query }),
      expects,
      alternativeAddress: onCommunityEdition,
      list: entriesOf(kind, name),
    },
    writes: replaces({
      create: put("/config", { query, permissionsAt: one }),
      envelope: (body, { dialect }) => withOwnName({ ...own, ...body }, dialect),
      after: async (context, _, written) => {
        await waitForCopy(context, get(one, { query }), written);
        return {};
      },
    }),
    check: repeatableWrite({
      token: "ModifyIndex",
      requestParts: (token) => ({ query: { cas: token } }),
      isNeverUpdated: (body) =>
        body.CreateIndex !== undefined && stringIn(body.CreateIndex) === stringIn(body.ModifyIndex),
      // After Consul's own controller has processed an entry, the entry equals no write (docs/wire.md, "Consul").
      rejectsIdentical: ({ Status: status }) =>
        isObject(status) && Array.isArray(status.Conditions) && status.Conditions.length > 0,
      alsoChangedBy:
        "Consul's own controller, by a change that was reverted, or because one of the two indexes belongs to a copy in another datacenter",
    }),
    // Consul accepts an identical entry again without a conflict, at any index.
    creation: { existing: checksByRead() },
    deletion: deletesChecked(del(one, { query }), { readsAfter: true }),
    blocked: {
      // Consul checks each write and each delete against the other entries, and answers 500.
      isBlocked: (error) =>
        error instanceof ServiceError &&
        error.status === 500 &&
        /protocol|discovery chain|subset|references|referenced|refers to/i.test(error.words),
      order:
        "if another entry in this program must exist first, add it to dependsOn of this entry (for a delete, the reverse)",
    },
  });
}
