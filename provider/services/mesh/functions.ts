import { z } from "zod";
import {
  type Address,
  addressOf,
  askBlocking,
  blockingFields,
  blockingResult,
  blockingRules,
  defineFunction,
  enumeration,
  errorFrom,
  errorOfRead,
  field,
  functionFields,
  functionResult,
  type HttpResponse,
  isObject,
  isRequestedObject,
  isSuccess,
  type Json,
  knownAddress,
  limitField,
  type QueryMeta,
  queryMetaOf,
  type RequestContext,
  type Route,
  shownFields,
  stringIn,
  type Values,
  watchFields,
  watchValue,
} from "../../core";
import configEntry from "./configEntry";
import { isFiltered, mesh } from "./service";

const { datacenter, namespace, partition } = configEntry.fields;
const kind = field(z.string().min(1), {
  doc: "Entry kind, such as `service-defaults`; any kind that Consul supports.",
  role: "identity",
});
const name = field(z.string().min(1), {
  doc: "Entry name; `global` for `proxy-defaults`, `mesh` for `mesh`.",
  role: "identity",
});
const scope = { datacenter, namespace, partition };
const section = "B. Configuration entries (mesh catalog)";
const where = { defaults: configEntry.where.defaults };

const consistency = field(
  enumeration({
    default: "The leader answers.",
    consistent: "The leader answers after confirming that it is still the leader.",
    stale: "Any server answers.",
  }).optional(),
  {
    doc: "Consistency mode: `default`, `consistent` (the leader first confirms that it is still the leader) or `stale` (any server answers).",
    role: "steering",
  },
);

const listing = configEntry.life.reads.list;
const { filter } = listing.filters;

const filteredByAcls = field(z.boolean(), {
  doc: "True if ACLs removed entries from the response; an entry that is missing here may exist.",
});

const entry = z.object(shownFields(configEntry));

/** Reads one entry. */
const getConfigEntry = defineFunction({
  token: "mesh:getConfigEntry",
  doc: "Reads a Consul configuration entry; a blocking query returns after it changes. A missing entry is an error.",
  section,
  service: mesh,
  fields: { kind, name, ...scope, consistency, ...blockingFields, ...functionFields },
  rules: blockingRules,
  where,
  result: { ...shownFields(configEntry), ...blockingResult },
  asks: {
    kind: "call",
    async call(context, args) {
      const { one: route, expects } = configEntry.life.reads;
      const { answer, address } = await ask(context, route, args);
      const body = mesh.unwrap(answer.json ?? null);
      if (!isSuccess(answer) || !isRequestedObject(expects, route.path, address, body))
        throw errorOfRead(context, answer, route, address);
      return { ...entryIn(answer.json ?? null, address), ...queryMetaOf(context, answer) };
    },
  },
});

const listRoute = listing.route;

/** Lists the entries of a kind. */
const getConfigEntries = defineFunction({
  token: "mesh:getConfigEntries",
  doc: "Lists the Consul configuration entries of a kind; a blocking query returns after one of them changes.",
  section,
  service: mesh,
  fields: { kind, ...scope, filter, consistency, ...blockingFields, limit: limitField, ...functionFields },
  rules: blockingRules,
  where,
  result: {
    entries: field(z.array(entry), { doc: "Entries that the token can see." }),
    filteredByAcls,
    ...blockingResult,
  },
  asks: {
    kind: "call",
    async call(context, args) {
      const { answer, address } = await ask(context, listRoute, args);
      const { entries, ...rest } = listIn(context, answer, address);
      return { entries: typeof args.limit === "number" ? entries.slice(0, args.limit) : entries, ...rest };
    },
  },
});

/** Watches the entries of a kind. */
const watchConfigEntries = defineFunction({
  token: "mesh:watchConfigEntries",
  doc: "Yields the Consul configuration entries of a kind: first the current entries, then again after each change. The iteration continues after server restarts and index resets, and ends when its signal is aborted.",
  section,
  service: mesh,
  fields: {
    kind,
    ...scope,
    filter,
    consistency,
    ...watchFields,
    connection: functionFields.connection,
  },
  rules: blockingRules,
  where,
  result: {
    entries: field(z.array(entry), { doc: "Entries that the token can see." }),
    filteredByAcls,
    ...blockingResult,
  },
  asks: {
    kind: "watch",
    changes: (context, args) =>
      watchValue(context, async (index, now) => {
        const waiting = index === undefined ? {} : { index };
        const { answer, address } = await ask(now, listRoute, { ...args, ...waiting });
        const value = listIn(context, answer, address);
        return { value, shows: [value.entries, value.filteredByAcls], index: value.index };
      }),
  },
});

/** The Consul functions. */
export default { getConfigEntry, getConfigEntries, watchConfigEntries };

async function ask(
  context: RequestContext,
  route: Route,
  args: Values,
): Promise<{ answer: HttpResponse; address: Address }> {
  const { kind: own, name: named } = args;
  const specified = { ...configEntry, fields: scope };
  const address = {
    ...knownAddress(addressOf(specified, context.connection, args)),
    kind: String(own),
    ...(typeof named === "string" && { name: named }),
  };
  const mode =
    args.consistency === undefined || args.consistency === "default"
      ? {}
      : { [String(args.consistency)]: "" };
  const query = { ...mode, ...listing.query(args) };
  const answer = await askBlocking(context, { route, address, query, isOfCopy: true }, args);
  return { answer, address };
}

function entryIn(body: Json, address: Address): Values {
  // `functionResult` returns an object for a JSON object.
  return functionResult(configEntry, isObject(body) ? body : {}, address) as Values;
}

type Listed = { readonly entries: Json[]; readonly filteredByAcls: boolean } & QueryMeta;

function listIn(context: RequestContext, answer: HttpResponse, address: Address): Listed {
  if (!isSuccess(answer)) throw errorFrom(context, answer, listRoute, address);
  for (const note of listing.notes(answer, context.connection, address)) context.log("warning", note);
  return {
    entries: listing
      .items(answer)
      .map((body) =>
        entryIn(body, { ...address, ...(isObject(body) && { name: stringIn(body.Name ?? "") }) }),
      ),
    filteredByAcls: isFiltered(context.connection.dialect, answer),
    ...queryMetaOf(context, answer),
  };
}
