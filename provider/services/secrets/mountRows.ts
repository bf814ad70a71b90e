import {
  type Address,
  errorOfRead,
  get,
  isObject,
  isSuccess,
  type Json,
  type Listing,
  type ObjectHookContext,
  type Observation,
  send,
  stringIn,
} from "../../core";
import { withoutSlashes } from "./namespaces";
import { secrets } from "./service";

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

export const engines: MountTable = {
  path: "/sys/mounts",
  prefix: "",
  builtIn: ["sys", "cubbyhole", "identity"],
  noun: "secrets engine",
};

export const authMethods: MountTable = {
  path: "/sys/auth",
  prefix: "auth/",
  builtIn: ["token"],
  noun: "auth method",
};

/** The object for a mount that does not exist. */
const NO_MOUNT = { accessor: "" };

/**
 * The mount at an address, as its properties describe it: by its accessor or, before it has one, by its path. A list with one
 * mount is its content.
 */
export function entryOf(table: MountTable, mounts: Observation["body"], asked: Address): Observation["body"] {
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
export async function locateMount(
  context: ObjectHookContext,
  table: MountTable,
  address: Address,
): Promise<Address> {
  const { accessor: asked, ...where } = address;
  if (asked === undefined || address.path !== undefined) return address;
  const list = get(table.path);
  const answer = await send(context, list, where, { nature: "read" });
  if (!isSuccess(answer) || !isTable(table, secrets.unwrap(answer.json ?? null)))
    throw errorOfRead(context, answer, list, where);
  const mounts = mountsIn(table, answer.json);
  const found =
    mounts.find(({ accessor }) => accessor === asked) ?? mounts.find(({ path }) => path === asked);
  return found === undefined
    ? address
    : { ...where, accessor: stringIn(found.accessor), path: stringIn(found.path) };
}

export function mountListing(table: MountTable) {
  const { path, builtIn } = table;
  return {
    route: get(path),
    itemContent: "whole",
    pages: { by: "whole" },
    filters: {},
    items: ({ json }) => mountsIn(table, json).filter((mount) => !builtIn.includes(pathIn(mount))),
    displayName: (item) => pathIn(item),
    refreshData: {
      key: ({ accessor }) => accessor,
      responses: ({ json }) =>
        rowsIn(json).map(([key, entry]) => [accessorIn(entry), { data: { [key]: entry } }] as const),
    },
  } as const satisfies Listing;
}

/**
 * The mounts in a response to a list, with their paths.
 * @throws TypeError if the response is not the list of this table
 */
export function mountsIn(table: MountTable, json: Json | undefined): Observation["body"][] {
  if (!isTable(table, secrets.unwrap(json ?? null))) throw new TypeError("the response contains no list");
  return rowsIn(json).map((row) => asObject(...row));
}

const rowsIn = (json: Json | undefined) => Object.entries(secrets.unwrap(json ?? null));
const pathIn = (item: Json) => stringIn(isObject(item) ? item.path : "");
const accessorIn = (entry: Json) => stringIn(isObject(entry) ? entry.accessor : "");
