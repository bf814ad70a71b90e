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
  doc: "An account of the directory that exists, and whose password the service rotates. A create rotates it at once.",
  section: "A6. Directory engine",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    mount: mountField("directory"),
    roleName: field(z.string().min(1), {
      doc: "The name by which the engine knows the role.",
      role: "identity",
      location: "address",
    }),
    username: field(z.string().min(1), {
      doc: "The account's name, looked for under the engine's `userdn` by its `userattr`.",
      toWrite: "Fixed once the role exists.",
      immutable: true,
      everyWrite: true,
    }),
    dn: field(z.string().optional(), {
      doc: "The entry's distinguished name; it goes before `username` in the search. Without it the entry is searched for by `username`.",
      toWrite: "Another one replaces the role; removing it updates the role in place.",
      immutable: "unless emptied",
      empty: "",
    }),
    rotationPeriod: duration({
      doc: "How long it is from one rotation to the next; 5 seconds at least.",
      least: LEAST_PERIOD,
    }),
    skipImportRotation: field(z.boolean().optional(), {
      doc: "Whether a create leaves the account's password as it is. The first rotation then follows one `rotationPeriod` later.",
      toWrite:
        "Sent with a create only: changed or dropped later, it has no effect. Default: `skipStaticRoleImportRotation` of the engine's configuration.",
      writeOnly: "create-only",
    }),
  },
  notes: ({ step, inputs }) =>
    step === "create" && inputs.skipImportRotation !== true
      ? [
          "the service rotates the account's password at once, and whoever uses the present one is locked out; skipImportRotation: true keeps it",
        ]
      : [],
  where: placeOfEngine("directory", "{mount}/{roleName}"),
  life: object({
    reads: { one: get(role), shows: { always: ["username"] }, list: keysAt("/{+mount}/static-role") },
    writes: merges({ create: post(role), neverSentBack: ["last_vault_rotation"] }),
    deletion: deletes(del(role)),
    blocked: accountMoved,
  }),
});
