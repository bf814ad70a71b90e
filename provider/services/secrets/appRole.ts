import { z } from "zod";
import { commonFields, define, del, deletes, field, get, merges, object, post } from "../../core";
import { authMountField, placeOfAuth } from "./authMounts";
import { optionalDuration } from "./durations";
import { namespaceField } from "./namespaces";
import { keysAt, secrets } from "./service";
import { OTHER_TOKEN_MEMBERS, tokenFields, tokenRules } from "./tokenFields";

const role = "/auth/{+authMount}/role/{roleName}";

/** A role of an AppRole auth method (API documentation of Vault and OpenBao, AppRole auth method). */
export default define({
  token: "secrets:AppRole",
  product: {
    noun: "AppRole role",
    terraform: "`vault_approle_auth_backend_role`",
    docs: "https://developer.hashicorp.com/vault/api-docs/auth/approle",
  },
  doc: "A role of an AppRole auth method: the limits of its secret IDs, and the settings of its tokens. Secret IDs and tokens that already exist keep their settings. A delete ends the secret IDs of the role.",
  section: "API: AppRole",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    authMount: authMountField("AppRole", "approle"),
    roleName: field(z.string().min(1), {
      doc: "The name of the role. The server stores it in lower case.",
      role: "identity",
      location: "address",
    }),
    bindSecretId: field(z.boolean().optional(), {
      doc: "Require a secret ID for a login. Without it, the role needs `secretIdBoundCidrs` or `tokenBoundCidrs`.",
      default: true,
    }),
    secretIdBoundCidrs: field(
      z
        .array(
          z
            .string()
            .regex(/\//, "must be a CIDR block: the server rejects a single address without /32 or /128"),
        )
        .optional(),
      {
        doc: "The CIDR blocks that may log in with a secret ID, such as `10.0.0.0/8`.",
        unordered: true,
        empty: [],
      },
    ),
    secretIdNumUses: field(z.int().min(0).optional(), {
      doc: "The number of logins with a secret ID; 0 sets no limit.",
      default: 0,
    }),
    secretIdTtl: optionalDuration({
      doc: "The TTL of a secret ID; 0 selects no limit.",
      default: 0,
    }),
    localSecretIds: field(z.boolean().optional(), {
      doc: "Keep the secret IDs local to the cluster, without replication.",
      default: false,
      immutable: true,
    }),
    ...tokenFields,
    roleId: field(z.string().optional(), {
      doc: "The role ID, which a login needs. The server generates it.",
      role: "server's",
    }),
  },
  rules: tokenRules,
  where: placeOfAuth("approle", "roleName"),
  life: object({
    reads: {
      one: get(role),
      further: { route: get(`${role}/role-id`), member: "role_id" },
      expects: { always: ["bind_secret_id", "token_policies"] },
      list: keysAt("/auth/{+authMount}/role"),
    },
    writes: merges({ create: post(role), neverSentBack: [...OTHER_TOKEN_MEMBERS, "role_id"] }),
    deletion: deletes(del(role)),
  }),
});
