import { z } from "zod";
import { field } from "../../core";
import { trimmedAndFolded } from "./policyNames";

/** Text values by key, managed as one unit. */
export const metadata = (doc: string) =>
  field(z.record(z.string().min(1), z.string()).optional(), {
    doc,
    empty: {},
    document: { exact: true, freeEntries: ["*"] },
  });

/** The policies of an entity or of a group. The server stores them in lower case. */
export const policies = (noun: string) =>
  field(
    z.array(z.string().regex(/^(?!\s*root\s*$)/i, "must not be root: the server rejects it")).optional(),
    {
      doc: `The names of the policies of the ${noun}, in addition to those of its tokens.`,
      spelling: trimmedAndFolded,
      unordered: true,
      empty: [],
    },
  );

/** The properties that the aliases of entities and of groups share. */
export function aliasFields(owner: string) {
  return {
    name: field(z.string().min(1), {
      doc: `The name of the ${owner} in the auth method.`,
      everyWrite: true,
    }),
    mountAccessor: field(z.string().min(1), {
      doc: "The accessor of the auth method, such as `accessor` of an `AuthMethod`.",
      everyWrite: true,
    }),
    canonicalId: field(z.string().min(1), {
      doc: `The ID of the ${owner}, such as \`${owner}Id\` of the resource that creates it.`,
      everyWrite: true,
    }),
    aliasId: field(z.string().optional(), {
      doc: "The ID of the alias (UUID).",
      role: "server's",
      wire: "id",
    }),
  };
}

/** The members of a response that the server owns. */
export const SERVER_MEMBERS = ["id", "creation_time", "last_update_time", "namespace_id"] as const;
export const ALIAS_MEMBERS = [
  ...SERVER_MEMBERS,
  "local",
  "merged_from_canonical_ids",
  "metadata",
  "mount_path",
  "mount_type",
] as const;
