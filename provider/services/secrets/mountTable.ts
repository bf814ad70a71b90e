import { z } from "zod";
import {
  type Body,
  checksByReadAndRejection,
  deletes,
  enumeration,
  field,
  get,
  type HttpResponse,
  merges,
  object,
  type Place,
  type Route,
} from "../../core";
import { notLonger, optionalDuration } from "./durations";
import { remount } from "./mountMove";
import { entryOf, locateMount, type MountTable, mountListing } from "./mountRows";
import { mountPath } from "./mounts";
import { namespaceField } from "./namespaces";
import { errorsIn } from "./service";

const names = (doc: string) =>
  field(z.array(z.string().min(1)).optional(), { doc, unordered: true, empty: [] });
const visibility = enumeration({
  unauth: "Users without a token can see the mount.",
  hidden: "Only users with a token can see the mount.",
});
const fixedFlag = (doc: string) => field(z.boolean().optional(), { doc, default: false, immutable: true });

/** The properties that secrets engines and auth methods share. */
export function mountFields({ noun }: Pick<MountTable, "noun">, paths: string) {
  return {
    namespace: namespaceField,
    path: field(mountPath(), {
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
    auditNonHmacRequestKeys: names("The request fields that audit devices log in plain text."),
    auditNonHmacResponseKeys: names("The response fields that audit devices log in plain text."),
    passthroughRequestHeaders: names("The request headers that the server passes to the mount."),
    allowedResponseHeaders: names("The response headers that the mount may set."),
    local: fixedFlag("Keep the mount local to its cluster, without replication."),
    sealWrap: fixedFlag(
      "Encrypt the mount's storage a second time, with the seal (Vault Enterprise, OpenBao).",
    ),
    accessor: field(z.string().optional(), {
      doc: `The accessor of the ${noun}. It stays the same when the mount moves to another path.`,
      role: "server's",
    }),
  };
}

export const mountRules = [notLonger("defaultLeaseTtl", "maxLeaseTtl")];

/** The members of a create that are not in its `config`. */
const OUTSIDE_CONFIG: readonly string[] = ["type", "local", "seal_wrap", "description", "options"];

/** How a mount of a table is read, written and moved. */
export function mountLife(table: MountTable) {
  const { path } = table;
  const list: Route = get(path);
  return object({
    reads: {
      // The list, because it also shows a mount that someone else has moved.
      one: list,
      expects: { always: ["accessor"] },
      toObject: (mounts, _, asked) => entryOf(table, mounts, asked),
      containsNoObject: ({ accessor }) => accessor === "",
      // The list itself always exists, so an error never shows that a mount does not.
      absence: { evidence: "the server's list does not contain its accessor", proves: () => false },
      locate: (context, address) => locateMount(context, table, address),
      list: mountListing(table),
    },
    writes: merges({
      create: { method: "POST", path: `${path}/{+path}`, expects: "nothing" },
      update: { method: "POST", path: `${path}/{+path}/tune`, expects: "nothing" },
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
function isTaken(answer: HttpResponse): boolean {
  const [, taken] = /^path is already in use at (.*)\/$/.exec(errorsIn(answer)?.[0] ?? "") ?? [];
  return (
    answer.status === 400 && taken !== undefined && decodeURIComponent(answer.url ?? "").endsWith(`/${taken}`)
  );
}

/** The parts of the address of a table's mounts. */
export function mountParts({ builtIn, prefix }: MountTable): Omit<Place, "id"> {
  // In the other table, auth methods have their own paths.
  const reserved = prefix === "" ? [...builtIn, "auth"] : builtIn;
  const isReserved = (path: string) => reserved.some((own) => `${path}/`.startsWith(`${own}/`));
  return {
    fromInputs: ({ path }) => ({ path }),
    fromResponse: { accessor: "accessor", path: "path" },
    parent: { part: "path", below: prefix === "" ? "mount" : "authMount" },
    names: {
      path: {
        problem: (path) =>
          isReserved(path)
            ? `must not be below ${reserved.join(", ")}, which the server keeps for itself`
            : undefined,
      },
    },
  };
}
