import { z } from "zod";
import {
  ActionableError,
  type Address,
  type Body,
  checksByReadAndRejection,
  deletes,
  errorOfRead,
  field,
  get,
  type HttpAnswer,
  isObject,
  isSuccess,
  type Json,
  type Link,
  type Listing,
  manualCheck,
  merges,
  type ObjectHookContext,
  type Observation,
  object,
  type Place,
  type PlannedChange,
  post,
  type Route,
  rerunUp,
  send,
  sendWrite,
  wordIn,
  words,
} from "../../core";
import { notLonger, optionalDuration } from "./durations";
import { mountPath } from "./mounts";
import { namespaceField, withoutSlashes } from "./namespaces";
import { errorsIn, secrets } from "./service";

/** A table of the server that has a mount at each path: secrets engines or auth methods. */
export interface MountTable {
  /** The request that lists the table. A mount's own requests are below this path. */
  readonly path: "/sys/mounts" | "/sys/auth";
  /** The text before the table's paths in a remount. */
  readonly prefix: "" | "auth/";
  /** The mounts that every namespace has and that no one can remove. A list without the first is not a list. */
  readonly builtIn: readonly [string, ...string[]];
  /** The entries of the table in messages. */
  readonly noun: string;
}

const headers = (doc: string) =>
  field(z.array(z.string().min(1)).optional(), { doc, unordered: true, empty: [] });
const visibility = words({
  unauth: "Users without a token can see the mount.",
  hidden: "Only users with a token can see the mount.",
});
const fixedFlag = (doc: string) => field(z.boolean().optional(), { doc, default: false, immutable: true });

/** The properties that secrets engines and auth methods share. */
export function mountFields({ noun }: Pick<MountTable, "noun">, paths: string) {
  return {
    namespace: namespaceField,
    path: field(mountPath, {
      doc: `The path of the ${noun}, such as ${paths}.`,
      toWrite:
        "A change moves the mount in place. Its configuration survives; the leases below the old path are revoked.",
      location: "link",
    }),
    description: field(z.string().optional(), {
      doc: "A text for the people who list the server's mounts.",
      default: "",
    }),
    defaultLeaseTtl: optionalDuration({
      doc: "The default TTL of leases; 0 selects the server's default.",
      default: 0,
    }),
    maxLeaseTtl: optionalDuration({
      doc: "The maximum TTL of leases; 0 selects the server's maximum.",
      default: 0,
    }),
    listingVisibility: field(visibility.optional(), {
      doc: "The visibility of the mount for users without a token, for example in the login form of the web UI.",
      empty: "",
    }),
    auditNonHmacRequestKeys: headers("The request fields that audit devices log in plain text."),
    auditNonHmacResponseKeys: headers("The response fields that audit devices log in plain text."),
    passthroughRequestHeaders: headers("The request headers that the server passes to the mount."),
    allowedResponseHeaders: headers("The response headers that the mount may set."),
    local: fixedFlag("Keep the mount local to its cluster, without replication."),
    sealWrap: fixedFlag("Encrypt the mount's storage with the seal in addition (Vault Enterprise, OpenBao)."),
    accessor: field(z.string().optional(), {
      doc: `The accessor of the ${noun}. It stays the same when the mount moves to another path.`,
      role: "server's",
    }),
  };
}

export const mountRules = [notLonger("defaultLeaseTtl", "maxLeaseTtl")];

/** The members of a mount that only its creation sets. An update of the other members is a request to its `tune` endpoint. */
const OF_CREATE = ["type", "local", "seal_wrap"] as const;

/** The members of a mount that are not in its `config`. */
const OUTSIDE_CONFIG: readonly string[] = [...OF_CREATE, "description", "options"];

/** How a mount of a table is read, written and moved. */
export function mountLife(table: MountTable) {
  const { path } = table;
  const list: Route = get(path);
  return object({
    reads: {
      // The list, because it also shows a mount that someone else has moved.
      one: list,
      shows: { always: ["accessor"] },
      as: (mounts, _, asked) => entryOf(table, mounts, asked),
      isNone: ({ accessor }) => accessor === "",
      locate: (context, address) => locateMount(context, table, address),
      list: mountListing(table),
    },
    writes: merges({
      create: { method: "POST", path: `${path}/{+path}`, answers: "nothing" },
      update: { method: "POST", path: `${path}/{+path}/tune`, answers: "nothing" },
      envelope: (body) => (body.type === undefined ? body : mountBody(body)),
    }),
    creation: { existing: checksByReadAndRejection(isTaken) },
    links: [remount(table)],
    deletion: deletes(
      { method: "DELETE", path: `${path}/{+path}` },
      {
        doc: `A delete disables the ${table.noun}: the server deletes all of its data and revokes its leases.`,
      },
    ),
  });
}

/** The body of a create: most settings are in `config`, and the path is in the request's own path. */
function mountBody({ path: _, ...body }: Body): Body {
  const [own, config]: [Body, Body] = [{}, {}];
  for (const [member, value] of Object.entries(body))
    (OUTSIDE_CONFIG.includes(member) ? own : config)[member] = value;
  return { ...own, ...(Object.keys(config).length > 0 && { config }) };
}

/** True if the server rejected a create because a mount is at this path. A mount below or above it is another object. */
function isTaken({ status, url, ...answer }: HttpAnswer): boolean {
  const [, taken] =
    /^path is already in use at (.*)\/$/.exec(errorsIn({ status, ...answer })?.[0] ?? "") ?? [];
  return status === 400 && taken !== undefined && decodeURIComponent(url ?? "").endsWith(`/${taken}`);
}

/** The object for a mount that does not exist. */
const NO_MOUNT = { accessor: "" };

/**
 * The mount at an address, as its properties describe it: by its accessor or, before it has one, by its path. A list with one
 * mount is its content.
 */
function entryOf(table: MountTable, mounts: Observation["body"], asked: Address): Observation["body"] {
  const { accessor, path } = asked;
  const found = Object.entries(mounts).find(([key, entry]) => {
    if (accessor !== undefined) return accessorIn(entry) === accessor;
    return path === undefined || withoutSlashes(key) === path;
  });
  if (found !== undefined) return asObject(...found);
  return isTable(table, mounts) ? NO_MOUNT : {};
}

/** True if a response is the list of this table. */
function isTable({ builtIn }: MountTable, mounts: Observation["body"]): boolean {
  return isObject(mounts[`${builtIn[0]}/`]);
}

function asObject(key: string, entry: Json): Observation["body"] {
  const { config, ...own } = isObject(entry) ? entry : {};
  return { ...own, ...(isObject(config) ? config : {}), path: withoutSlashes(key) };
}

/** The address of a mount, given its accessor or its path in the place of the accessor. */
async function locateMount(
  context: ObjectHookContext,
  table: MountTable,
  address: Address,
): Promise<Address> {
  const { accessor: asked, ...where } = address;
  if (asked === undefined || address.path !== undefined) return address;
  const list = get(table.path);
  const answer = await send(context, list, where, { nature: "read" });
  if (!isSuccess(answer) || !isTable(table, secrets.open(answer.json ?? null)))
    throw errorOfRead(context, answer, list, where);
  const mounts = Object.entries(secrets.open(answer.json ?? null)).map(([key, entry]) =>
    asObject(key, entry),
  );
  const found =
    mounts.find(({ accessor }) => accessor === asked) ?? mounts.find(({ path }) => path === asked);
  return found === undefined
    ? address
    : { ...where, accessor: wordIn(found.accessor), path: wordIn(found.path) };
}

function mountListing({ path, builtIn }: MountTable) {
  return {
    route: get(path),
    holds: "whole",
    pages: { by: "whole" },
    narrowing: {},
    items: ({ json }) =>
      rowsIn(json)
        .map((row) => asObject(...row))
        .filter((mount) => !builtIn.includes(pathIn(mount))),
    called: (item) => pathIn(item),
    carries: {
      key: ({ accessor }) => accessor,
      answers: ({ json }) =>
        rowsIn(json).map(([key, entry]) => [accessorIn(entry), { data: { [key]: entry } }] as const),
    },
  } as const satisfies Listing;
}

const rowsIn = (json: Json | undefined) => Object.entries(secrets.open(json ?? null));
const pathIn = (item: Json) => wordIn(isObject(item) ? item.path : "");
const accessorIn = (entry: Json) => wordIn(isObject(entry) ? entry.accessor : "");

/** The delay between two reads of a move's status, in milliseconds: the first and the longest one. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2000;

/** A changed path: the server moves the mount in the background, and the write ends once the move has ended. */
function remount({ prefix, noun }: MountTable): Link {
  return {
    field: "path",
    isCreatedWith: true,
    async write(context, address, { from, to }) {
      const answer = await sendWrite(context, post("/sys/remount", { answers: ["migration_id"] }), address, {
        body: { from: prefix + wordIn(from), to: prefix + wordIn(to) },
      });
      await waitForMove(
        context,
        { ...address, id: wordIn(secrets.open(answer.json ?? null).migration_id) },
        noun,
      );
    },
  };
}

const moveStatus = get("/sys/remount/status/{id}");

async function waitForMove(context: ObjectHookContext, address: Address, noun: string): Promise<void> {
  const { runtime } = context.connection;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const answer = await send(context, moveStatus, address, { nature: "read" });
    const status = statusIn(answer);
    if (status === "success") return;
    if (status === undefined) throw errorOfRead(context, answer, moveStatus, address);
    const isFailed = status === "failure";
    if (isFailed || runtime.now() >= context.deadline)
      throw new ActionableError(
        `${context.name(address)}: the server ${isFailed ? "failed to move" : "is still moving"} the ${noun} (migration ${address.id}).`,
        [manualCheck("The server's log has the reason; search it for the migration ID."), rerunUp()],
        { outcome: isFailed ? "notApplied" : "unknown" },
      );
    await runtime.sleep(pause);
  }
}

function statusIn(answer: HttpAnswer): string | undefined {
  const { migration_info: info } = secrets.open(answer.json ?? null);
  return isSuccess(answer) && isObject(info) && typeof info.status === "string" ? info.status : undefined;
}

/** What a preview says about a moved mount. */
export function moveNotes({ step, inputs, outputs }: PlannedChange): string[] {
  const [from, to] = [outputs?.path, inputs.path];
  if (step !== "update" || typeof from !== "string" || typeof to !== "string" || from === to) return [];
  return [
    `the mount moves from ${from} to ${to}: its configuration and its static roles survive, and the server revokes every lease below ${from}`,
  ];
}

/** The parts of the address of a table's mounts. */
export function mountParts({ builtIn, prefix }: MountTable): Omit<Place, "id"> {
  // In the other table, auth methods have their own paths.
  const taken = prefix === "" ? [...builtIn, "auth"] : builtIn;
  const isTaken = (path: string) => taken.some((own) => path === own || path.startsWith(`${own}/`));
  return {
    written: ({ path }) => ({ path }),
    answered: { accessor: "accessor", path: "path" },
    ...(prefix === "" && { parent: { part: "path", below: "mount" } }),
    names: {
      path: {
        problem: (path) =>
          isTaken(path)
            ? `must not be below ${taken.join(", ")}, which the server keeps for itself`
            : undefined,
      },
    },
  };
}
