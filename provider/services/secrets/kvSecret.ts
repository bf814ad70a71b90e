import { z } from "zod";
import {
  commonFields,
  define,
  del,
  deletes,
  field,
  get,
  type HttpResponse,
  isObject,
  numberIn,
  type Observation,
  object,
  place,
  post,
  replaces,
  send,
} from "../../core";
import { MOUNT, mountPath } from "./mounts";
import { inNamespace, namespaceField } from "./namespaces";
import { isAbsent, keysAt, secrets } from "./service";

const data = "/{+mount}/data/{+path}";

/** A secret of a KV engine, version 2 (API documentation of Vault and OpenBao, KV secrets engine version 2). */
export default define({
  token: "secrets:KvSecret",
  product: {
    noun: "KV secret",
    terraform: "`vault_kv_secret_v2`",
    docs: "https://developer.hashicorp.com/vault/api-docs/secret/kv/kv-v2",
  },
  doc: "A secret of a KV secrets engine, version 2. Each write creates a version. Quarterdeck manages the latest version; the settings of the secret (`custom_metadata`, `max_versions`, `cas_required`, `delete_version_after`) and its older versions stay as they are.",
  section: "API: KV secrets, version 2",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    mount: field(mountPath().optional(), {
      doc: "The mount path of the KV secrets engine, such as `secret` or `teams/web/kv`.",
      toWrite: "Default: `secret`.",
      role: "identity",
      location: "address",
    }),
    path: field(z.string().regex(MOUNT, "must be a path without a leading or trailing slash"), {
      doc: "The path of the secret below the mount, such as `app` or `app/database`.",
      role: "identity",
      location: "address",
    }),
    // Open: the keys and the values are the user's.
    data: field(z.record(z.string(), z.unknown()), {
      doc: "The data of the secret: any JSON value by key. Every value is secret. The data is managed as one unit: keys that someone else added are removed.",
      document: { secret: ["*"], exact: true, freeEntries: ["*"] },
    }),
    version: field(z.number().optional(), {
      doc: "The number of the latest version. Each write increments it.",
      role: "server's",
    }),
    createdTime: field(z.string().optional(), {
      doc: "The time of the latest version (RFC 3339).",
      role: "server's",
    }),
  },
  where: place(inNamespace("{mount}/{path}"), { defaults: { mount: { valueFor: () => "secret" } } }),
  life: object({
    reads: {
      one: get(data),
      expects: { always: ["data", "version"] },
      absence: {
        evidence:
          "the server returns 404, without an error message or with the metadata of a deleted version",
        proves: (answer) => isAbsent(answer) || deletedVersion(answer) !== undefined,
      },
      toObject: ({ metadata, ...body }) => ({ ...body, ...(isObject(metadata) ? metadata : {}) }),
      list: keysAt("/{+mount}/metadata"),
    },
    writes: replaces({
      create: post(data, { expects: ["version"] }),
      precondition: {
        undetected: "A delete and an undelete of the latest version",
        members: (current) => ({ options: { cas: numberIn(current?.version) ?? 0 } }),
        remains: async (context, address) =>
          deletedVersion(await send(context, get(data), address, { nature: "read" })),
      },
      neverSentBack: ["version", "created_time", "deletion_time", "destroyed", "custom_metadata"],
    }),
    deletion: deletes(del(data), {
      doc: "A delete deletes the latest version. A later create continues with the next version.",
      leavesBehind:
        "the server keeps the versions and the settings of the secret; to remove them for good, delete the metadata of the secret",
    }),
  }),
});

/** The metadata of the latest version if that is deleted or destroyed: the server returns it with a 404. */
function deletedVersion({ status, json }: HttpResponse): Observation["body"] | undefined {
  const { data: value, metadata } = secrets.unwrap(json ?? null);
  return status === 404 && value === null && isObject(metadata) ? metadata : undefined;
}
