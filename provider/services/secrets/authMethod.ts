import { z } from "zod";
import { commonFields, define, enumeration, field, place } from "../../core";
import { moveNotes } from "./mountMove";
import { authMethods } from "./mountRows";
import { mountFields, mountLife, mountParts, mountRules } from "./mountTable";
import { inNamespace } from "./namespaces";
import { secrets } from "./service";

const tokenType = enumeration({
  "default-service": "Service tokens, unless a role sets a different type.",
  "default-batch": "Batch tokens, unless a role sets a different type.",
  service: "Service tokens, which can be renewed and revoked.",
  batch: "Batch tokens, which the server does not store.",
});

/** An enabled auth method (API documentation of Vault and OpenBao, `/sys/auth`). */
export default define({
  token: "secrets:AuthMethod",
  product: {
    noun: "auth method",
    terraform: "`vault_auth_backend`",
    docs: "https://developer.hashicorp.com/vault/api-docs/system/auth",
  },
  doc: "An auth method, enabled at a path below `auth/`. An import also accepts this path as the ID, without `auth/` and with `%2F` for each slash.",
  section: "API: auth methods",
  service: secrets,
  fields: {
    ...commonFields,
    ...mountFields(authMethods, "`userpass` or `teams/web/approle`, without the leading `auth/`"),
    type: field(z.string().min(1), {
      doc: "The type of the auth method, such as `userpass`, `approle`, `ldap`, `jwt` or `kubernetes`.",
      immutable: true,
    }),
    tokenType: field(tokenType.optional(), {
      doc: "The type of the tokens that the auth method issues.",
      default: "default-service",
    }),
  },
  rules: mountRules,
  notes: moveNotes,
  where: place(inNamespace("{accessor}"), mountParts(authMethods)),
  life: mountLife(authMethods),
});
