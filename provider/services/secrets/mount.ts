import { z } from "zod";
import { commonFields, define, enumeration, field, isGiven, isObject, place, rule } from "../../core";
import { moveNotes } from "./mountMove";
import { engines } from "./mountRows";
import { mountFields, mountLife, mountParts, mountRules } from "./mountTable";
import { inNamespace } from "./namespaces";
import { secrets } from "./service";

const kvVersion = enumeration({
  "1": "Each secret has one value.",
  "2": "The engine stores the versions of a secret, and writes can check the version.",
});

/** A mounted secrets engine (API documentation of Vault and OpenBao, `/sys/mounts`). */
export default define({
  token: "secrets:Mount",
  product: {
    noun: "secrets engine",
    terraform: "`vault_mount`",
    docs: "https://developer.hashicorp.com/vault/api-docs/system/mounts",
  },
  doc: "A secrets engine, mounted at a path. An import also accepts the path as the ID, with `%2F` for each slash.",
  section: "API: secrets engines",
  service: secrets,
  fields: {
    ...commonFields,
    ...mountFields(engines, "`rabbitmq` or `teams/web/ldap`"),
    type: field(
      z
        .string()
        .regex(/^(?!kv-v[12]$)/, 'must be kv, with the version in options: { version: "2" }')
        .min(1),
      {
        doc: "The type of the secrets engine, such as `rabbitmq`, `aws`, `ldap`, `kv` or `pki`.",
        immutable: true,
      },
    ),
    options: field(
      z
        .strictObject({
          version: field(kvVersion.optional(), {
            doc: "The version of a `kv` engine. The server can upgrade version 1 to 2, but cannot downgrade it.",
            notRestored: true,
          }),
        })
        .optional(),
      { doc: "Options that depend on the type of the engine.", notRestored: true },
    ),
  },
  rules: [
    ...mountRules,
    rule(
      ["options", "type"],
      (options, type) => isGiven(type) && type !== "kv" && isObject(options) && isGiven(options.version),
      'must not have a version unless type is "kv": the server rejects it',
    ),
  ],
  notes: moveNotes,
  where: place(inNamespace("{accessor}"), mountParts(engines)),
  life: mountLife(engines),
});
