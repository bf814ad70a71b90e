import { z } from "zod";
import {
  type BlockedByOthers,
  commonFields,
  define,
  field,
  get,
  type Naming,
  object,
  patch,
  patches,
  place,
  post,
  ServiceError,
} from "../../core";
import { metadata } from "./identityFields";
import { namespaceDeletion, namespaceListing, withName, withoutRemovedKeys } from "./namespaceParts";
import { inNamespace, namespaceField } from "./namespaces";
import { secrets } from "./service";

const RESERVED = [".", "..", "root", "sys", "audit", "auth", "cubbyhole", "identity"];

const namespaceName: Naming = {
  problem: (name) =>
    RESERVED.includes(name) || /[/\s+*]/.test(name)
      ? `must not be ${RESERVED.slice(2).join(", ")}, and must not contain a slash, a space, + or *`
      : undefined,
};

/** A namespace with child namespaces is not deleted. */
const hasChildren: BlockedByOthers = {
  isBlocked: (error) =>
    error instanceof ServiceError &&
    error.words.includes("cannot delete namespace") &&
    error.words.includes("containing child namespaces"),
  order:
    "if this program also deletes the child namespaces, use the name output of this namespace in their namespace, so that they are deleted first",
};

const one = "/sys/namespaces/{name}";

/** A namespace (API documentation of Vault and OpenBao, `/sys/namespaces`). */
export default define({
  token: "secrets:Namespace",
  product: {
    noun: "namespace",
    terraform: "`vault_namespace`",
    docs: "https://developer.hashicorp.com/vault/api-docs/system/namespaces",
  },
  doc: "A namespace in Vault Enterprise or OpenBao (2.3 or later): a separate tree of engines, auth methods, policies and identities. A delete also deletes everything in the namespace.",
  section: "API: namespaces",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    name: field(z.string().min(1), {
      doc: "The name of the namespace in its parent, which `namespace` sets. Objects in a namespace of the connection's namespace have this name as their `namespace`.",
      role: "identity",
      location: "address",
    }),
    customMetadata: metadata(
      "Text values by key that describe the namespace. Managed as one unit. Vault 1.12 or later.",
    ),
    path: field(z.string().optional(), {
      doc: "The path of the namespace from the root namespace, without slashes at its ends.",
      role: "server's",
    }),
    namespaceId: field(z.string().optional(), {
      doc: "The ID of the namespace, with which its tokens end.",
      role: "server's",
      wire: "id",
    }),
    uuid: field(z.string().optional(), {
      doc: "The UUID of the namespace. Only OpenBao returns it.",
      role: "server's",
    }),
  },
  where: place(inNamespace("{name}"), { names: { name: namespaceName } }),
  life: object({
    reads: {
      one: get(one),
      expects: { named: { name: "name", namespaceId: "id" } },
      toObject: withName,
      list: namespaceListing,
    },
    writes: patches({
      create: post(one, { expects: ["id", "path"] }),
      update: patch(one, { expects: ["id", "path"], contentType: "application/merge-patch+json" }),
      completeBody: withoutRemovedKeys,
    }),
    deletion: namespaceDeletion,
    blocked: hasChildren,
  }),
});
