import { z } from "zod";
import {
  atLeastOne,
  commonFields,
  define,
  del,
  deletes,
  field,
  get,
  isWritten,
  merges,
  object,
  place,
  post,
} from "../../core";
import { inParentNamespace } from "./mfaMethodByName";
import { genericName } from "./names";
import { inNamespace, namespaceField } from "./namespaces";
import { objectsAt, secrets } from "./service";

const selector = (what: string) =>
  field(z.array(z.string().min(1)).optional(), {
    doc: `${what} whose logins must pass this enforcement.`,
    unordered: true,
    everyWrite: true,
    empty: [],
  });

const SELECTORS = [
  "authMethodAccessors",
  "authMethodTypes",
  "identityGroupIds",
  "identityEntityIds",
] as const;

const enforcement = "/identity/mfa/login-enforcement/{name}";

/** An MFA login enforcement (specification: A4. Login enforcement). */
export default define({
  token: "secrets:LoginEnforcement",
  product: {
    noun: "MFA login enforcement",
    terraform: "`vault_identity_mfa_login_enforcement`",
    docs: "https://developer.hashicorp.com/vault/api-docs/secret/identity/mfa/login-enforcement",
  },
  doc: "An MFA login enforcement: the logins that need MFA, and the allowed MFA methods. If several enforcements apply to a login, each must be satisfied.",
  section: "A4. Login enforcement",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    name: field(z.string().min(1), {
      doc: "The unique name of the login enforcement in its namespace.",
      role: "identity",
      location: "address",
    }),
    mfaMethodIds: field(z.array(z.string().min(1)).min(1), {
      doc: "The IDs of the MFA methods, such as `methodId` of an `MfaMethod`. Passing any one of them is enough.",
      unordered: true,
      everyWrite: true,
    }),
    authMethodAccessors: selector("The accessors of auth mounts"),
    authMethodTypes: selector("The types of auth methods"),
    identityGroupIds: selector("The IDs of identity groups (of the current or a child namespace)"),
    identityEntityIds: selector("The IDs of identity entities (of the current or a child namespace)"),
    enforcementId: field(z.string().optional(), {
      doc: "The ID of the login enforcement (UUID).",
      role: "server's",
      wire: "id",
    }),
    namespaceId: field(z.string().optional(), {
      doc: "The ID of the namespace that contains the enforcement.",
      role: "server's",
    }),
  },
  rules: [
    atLeastOne(
      SELECTORS,
      "one of authMethodAccessors, authMethodTypes, identityGroupIds and identityEntityIds is required: an enforcement must select logins",
      // An empty list counts: it clears this selector, and others may manage the other selectors.
      isWritten,
    ),
  ],
  notes: ({ inputs }) => {
    const given = SELECTORS.map((name) => inputs[name]).filter((list) => list !== undefined && list !== null);
    return given.every((list) => Array.isArray(list) && list.length === 0)
      ? [
          "every selector in the program is empty: the enforcement applies to no logins, unless selectors were set outside this program",
        ]
      : [];
  },
  where: place(inNamespace("{name}"), { names: { name: genericName } }),
  life: object({
    reads: {
      one: get(enforcement),
      expects: { always: ["mfa_method_ids"] },
      list: { ...objectsAt("/identity/mfa/login-enforcement", "name"), whyUnmanageable: inParentNamespace },
    },
    writes: merges({ create: post(enforcement), neverSentBack: ["namespace_path"] }),
    deletion: deletes(del(enforcement)),
  }),
});
