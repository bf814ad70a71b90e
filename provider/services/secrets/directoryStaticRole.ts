import { z } from "zod";
import { commonFields, define, del, deletes, field, get, merges, object, post } from "../../core";
import { accountMoved } from "./accountMoved";
import { duration } from "./durations";
import { mountField, placeOfEngine } from "./mounts";
import { namespaceField } from "./namespaces";
import { keysAt, secrets } from "./service";

/** The shortest period, in seconds (specification: Limits). */
const LEAST_PERIOD = 5;

const role = "/{+mount}/static-role/{roleName}";

/** A static role of the LDAP engine (specification: A6. Directory engine, static roles). */
export default define({
  token: "secrets:DirectoryStaticRole",
  product: {
    noun: "LDAP static role",
    terraform: "`vault_ldap_secret_backend_static_role`",
    docs: "https://developer.hashicorp.com/vault/api-docs/secret/ldap",
  },
  doc: "A static role of the LDAP secrets engine: an existing LDAP account whose password the server rotates. Creating the role rotates the password immediately.",
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
    username: field(z.string().min(1), {
      doc: "The name of the account. The server searches for it in `userattr`, below `userdn` of the secrets engine's configuration.",
      toWrite: "Immutable after creation.",
      immutable: true,
      everyWrite: true,
    }),
    dn: field(z.string().optional(), {
      doc: "The distinguished name of the account. In the search, `dn` takes precedence over `username`; without `dn`, the server searches by `username`.",
      toWrite: "A different value replaces the role; removing it updates the role in place.",
      immutable: "unless emptied",
      empty: "",
    }),
    rotationPeriod: duration({
      doc: "The time between rotations; at least 5 seconds.",
      least: LEAST_PERIOD,
    }),
    skipImportRotation: field(z.boolean().optional(), {
      doc: "Skip the password rotation when the role is created. The first rotation then follows after one `rotationPeriod`.",
      toWrite:
        "Sent only on create: changing or removing it later has no effect. Default: `skipStaticRoleImportRotation` of the secrets engine's configuration.",
      writeOnly: "create-only",
    }),
  },
  notes: ({ step, inputs }) =>
    step === "create" && inputs.skipImportRotation !== true
      ? [
          "the server rotates the account's password immediately, which locks out users of the current password; skipImportRotation: true prevents this rotation",
        ]
      : [],
  where: placeOfEngine("directory", "{mount}/{roleName}"),
  life: object({
    reads: { one: get(role), expects: { always: ["username"] }, list: keysAt("/{+mount}/static-role") },
    writes: merges({ create: post(role), neverSentBack: ["last_vault_rotation"] }),
    deletion: deletes(del(role)),
    blocked: accountMoved,
  }),
});
