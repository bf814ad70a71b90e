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
  doc: "A dynamic role of the directory engine: the LDIF by which it makes accounts and takes them away.",
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
    creationLdif: field(z.string().min(1), {
      doc: "The LDIF that makes an account, or base64 of it. Entries run in order; at the first error they stop, and `rollbackLdif` runs.",
      spelling: ldif,
    }),
    deletionLdif: field(z.string().min(1), {
      doc: "The LDIF that takes an account away, or base64 of it. It goes on after errors.",
      spelling: ldif,
    }),
    rollbackLdif: field(z.string().optional(), {
      doc: "The LDIF that takes back what a failed creation has made, or base64 of it. It goes on after errors.",
      spelling: ldif,
      empty: "",
    }),
    usernameTemplate: field(z.string().optional(), {
      doc: "The template of the accounts' names.",
      toWrite:
        "Where none is given: `v_`, the display name, the role's name, 10 random characters and the Unix time, joined by underscores.",
      empty: "",
    }),
    defaultTtl: optionalDuration({ doc: "How long an account holds; 0 is the mount's own.", empty: 0 }),
    maxTtl: optionalDuration({
      doc: "How long an account holds at most, renewals included; 0 is the mount's own maximum, which it cannot exceed.",
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
      ? ["without rollbackLdif, what a creation has made before it failed stays in the directory"]
      : []),
  ],
  where: placeOfEngine("directory", "{mount}/{roleName}"),
  life: object({
    reads: { one: get(role), shows: { always: ["creation_ldif"] }, list: keysAt("/{+mount}/role") },
    writes: merges(post(role)),
    deletion: deletes(del(role)),
  }),
});
