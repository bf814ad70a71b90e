import { z } from "zod";
import { commonFields, define, del, deletes, field, get, merges, object, post } from "../../core";
import { authMountField, placeOfAuth } from "./authMounts";
import { namespaceField } from "./namespaces";
import { keysAt, secrets } from "./service";
import { OTHER_TOKEN_MEMBERS, tokenFields, tokenRules } from "./tokenFields";

const user = "/auth/{+authMount}/users/{username}";

/** A user of a userpass auth method (API documentation of Vault and OpenBao, userpass auth method). */
export default define({
  token: "secrets:UserpassUser",
  product: {
    noun: "userpass user",
    terraform: "`vault_generic_endpoint`",
    docs: "https://developer.hashicorp.com/vault/api-docs/auth/userpass",
  },
  doc: "A user of a userpass auth method: a password, and the settings of the user's tokens. Tokens that the user already has keep their settings; a delete of the user does not revoke them.",
  section: "API: userpass",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    authMount: authMountField("userpass", "userpass"),
    username: field(z.string().min(1), {
      doc: "The name of the user. The server stores it in lower case.",
      role: "identity",
      location: "address",
    }),
    password: field(z.string().min(1), {
      doc: "The password of the user. A password that someone else changed stays in use until you change this property.",
      secret: true,
      writeOnly: "when-changed",
    }),
    ...tokenFields,
  },
  rules: tokenRules,
  where: placeOfAuth("userpass", "username"),
  life: object({
    reads: {
      one: get(user),
      expects: { always: ["token_policies", "token_ttl"] },
      list: keysAt("/auth/{+authMount}/users"),
    },
    writes: merges({ create: post(user), neverSentBack: OTHER_TOKEN_MEMBERS }),
    deletion: deletes(del(user)),
  }),
});
