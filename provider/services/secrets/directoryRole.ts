import { z } from "zod";
import { commonFields, define, del, deletes, field, get, merges, object, post, rule } from "../../core";
import { optionalDuration } from "./durations";
import { ldif } from "./ldif";
import { mountField, placeOfEngine } from "./mounts";
import { namespaceField } from "./namespaces";
import { keysAt, secrets } from "./service";
import { ldifContext, templateDoubts, templateProblem, usernameContext } from "./templates";

const LDIF = ["creationLdif", "deletionLdif", "rollbackLdif"] as const;

function plainLdif(text: unknown): unknown {
  return typeof text === "string" ? ldif.canonical(text) : undefined;
}

const role = "/{+mount}/role/{roleName}";

/** A dynamic role of the LDAP engine (specification: A6. Directory engine, dynamic roles). */
export default define({
  token: "secrets:DirectoryRole",
  product: {
    noun: "LDAP dynamic role",
    terraform: "`vault_ldap_secret_backend_dynamic_role`",
    docs: "https://developer.hashicorp.com/vault/api-docs/secret/ldap",
  },
  doc: "A dynamic role of the LDAP secrets engine: the LDIF statements that create and delete LDAP accounts.",
  section: "A6. Directory engine",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    mount: mountField("directory"),
    roleName: field(z.string().min(1), {
      doc: "The name of the role in the secrets engine.",
      role: "identity",
      location: "address",
    }),
    creationLdif: field(z.string().min(1), {
      doc: "The LDIF that creates an account, as plain text or base64. Entries run in order; at the first error execution stops and `rollbackLdif` runs.",
      spelling: ldif,
    }),
    deletionLdif: field(z.string().min(1), {
      doc: "The LDIF that deletes an account, as plain text or base64. Execution continues after errors.",
      spelling: ldif,
    }),
    rollbackLdif: field(z.string().optional(), {
      doc: "The LDIF that cleans up after a failed creation, as plain text or base64. Execution continues after errors.",
      spelling: ldif,
      empty: "",
    }),
    usernameTemplate: field(z.string().optional(), {
      doc: "The template for account names.",
      toWrite:
        "Default: `v_`, the display name, the role name, 10 random characters and the Unix time, joined by underscores.",
      empty: "",
    }),
    defaultTtl: optionalDuration({ doc: "The TTL of an account; 0 selects the mount's default.", empty: 0 }),
    maxTtl: optionalDuration({
      doc: "The maximum TTL of an account, including renewals. The value cannot exceed the mount's maximum; 0 selects that maximum.",
      empty: 0,
    }),
  },
  rules: [
    ...LDIF.map((name) =>
      rule([name], (text) => templateProblem(ldif.canonical(text ?? null)), "must close each `{{`"),
    ),
    rule(["usernameTemplate"], templateProblem, "must close each `{{`"),
  ],
  notes: ({ step, inputs }) => [
    ...templateDoubts("usernameTemplate", inputs.usernameTemplate, usernameContext),
    ...LDIF.flatMap((name) => templateDoubts(name, plainLdif(inputs[name]), ldifContext)),
    ...(step === "create" && inputs.rollbackLdif === undefined
      ? ["without rollbackLdif, entries that a failed creation already added stay in LDAP"]
      : []),
  ],
  where: placeOfEngine("directory", "{mount}/{roleName}"),
  life: object({
    reads: { one: get(role), expects: { always: ["creation_ldif"] }, list: keysAt("/{+mount}/role") },
    writes: merges(post(role)),
    deletion: deletes(del(role)),
  }),
});
