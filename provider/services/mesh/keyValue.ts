import { z } from "zod";
import {
  checksByRead,
  commonFields,
  define,
  del,
  deletesChecked,
  field,
  get,
  isObject,
  object,
  place,
  put,
  replaces,
  setting,
} from "../../core";
import { indexIn, indexOfKey, keys, placeIn, whyUnreadable } from "./keyValueParts";
import { textOrBytes, withWrittenValue } from "./keyValueText";
import { mesh, inPlace as query, scopeFields } from "./service";

const path = "/kv/{+key}";

/** A key and its value (Consul's API documentation, "KV Store" and "Transactions"; Consul 1.22.2, `agent/consul/state`). */
export default define({
  token: "mesh:KeyValue",
  product: {
    noun: "Consul key",
    terraform: "`consul_keys`",
    docs: "https://developer.hashicorp.com/consul/api-docs/kv",
  },
  doc: "A key of Consul's KV store and its value. Every write and delete is checked against the key's `ModifyIndex`. A write keeps the lock of a session; a delete also deletes it. The value is not secret, unless the program marks it (`pulumi.secret`). Consul accepts values of up to 512 KiB in Base64 by default.",
  section: "API: KV store of Consul",
  service: mesh,
  fields: {
    ...commonFields,
    key: field(z.string().min(1), {
      doc: "Key, such as `apps/web/config`, without a slash at the start or end. Another key is another object.",
      role: "identity",
      location: "address",
    }),
    value: field(
      z.union([
        z.string(),
        z.strictObject({ base64: field(z.base64(), { doc: "The bytes of the value, in Base64." }) }),
      ]),
      {
        doc: "Value: text, or `{ base64 }` for bytes that are not UTF-8 text. May be empty.",
        spelling: textOrBytes,
      },
    ),
    flags: field(z.int().nonnegative().optional(), {
      doc: "Number that applications can store with the value.",
      default: 0,
    }),
    datacenter: field(z.string().min(1).optional(), {
      doc: "Datacenter that contains the key. Consul does not copy keys to other datacenters.",
      toWrite: "Default: the connection's datacenter, then the agent's.",
      role: "identity",
      location: "address",
    }),
    ...scopeFields("key"),
    modifyIndex: field(z.string().optional(), {
      doc: "Check-and-set index of the key, as a string.",
      role: "server's",
    }),
  },
  where: place(["[{partition}@]{datacenter}/{namespace}/{key}", "{key}"], {
    defaults: {
      datacenter: setting("datacenter"),
      namespace: setting("namespace", { unset: "default" }),
      partition: setting("partition", { unset: "default" }),
    },
    fromResponse: { key: "Key", namespace: "Namespace", partition: "Partition" },
    names: { key: { problem: whyUnreadable } },
  }),
  life: object({
    reads: {
      one: get(path, { query }),
      expects: { named: { key: "Key" } },
      // A read returns a list with one entry.
      toObject: (_, answer) => {
        const entry = Array.isArray(answer) ? answer[0] : answer;
        return entry !== undefined && isObject(entry) ? withWrittenValue(entry) : {};
      },
      absence: {
        evidence: "Consul returns an empty 404 with the index of its store",
        proves: ({ status, text, headers }, { connection: { dialect } }) =>
          status === 404 && text === "" && headers[(dialect.headers.index ?? "").toLowerCase()] !== undefined,
      },
      list: keys,
    },
    writes: replaces({
      // Unlike a PUT of the key, a transaction returns the index of the write.
      create: put("/txn", { query, permissionsAt: path, expects: ["Results"] }),
      envelope: (body, { address, revision }) => [
        { KV: { Verb: "cas", ...placeIn(address), ...body, Index: indexIn(revision) } },
      ],
      neverSentBack: [
        ...["Key", "LockIndex", "Session", "Namespace", "Partition"],
        ...["CreateIndex", "ModifyIndex"],
      ],
    }),
    check: indexOfKey,
    // The read also rejects a namespace on a server without namespaces. A transaction would ignore the namespace.
    creation: { existing: checksByRead() },
    deletion: deletesChecked(del(path, { query })),
  }),
});
