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
    doc: `${what} that must pass this enforcement.`,
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
  doc: "An MFA login enforcement: who must pass which methods. With several enforcements, each must be satisfied before a login succeeds.",
  section: "A4. Login enforcement",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    name: field(z.string().min(1), {
      doc: "The name by which the service knows the enforcement.",
      role: "identity",
      location: "address",
    }),
    mfaMethodIds: field(z.array(z.string().min(1)).min(1), {
      doc: "The ids of the methods, as the service made them; any one of them suffices.",
      unordered: true,
      everyWrite: true,
    }),
    authMethodAccessors: selector("Accessors of the auth mounts"),
    authMethodTypes: selector("Types of auth methods"),
    identityGroupIds: selector("Identity groups, of the current or a child namespace,"),
    identityEntityIds: selector("Identity entities, of the current or a child namespace,"),
    enforcementId: field(z.string().optional(), {
      doc: "The enforcement's id (UUID).",
      role: "server's",
      wire: "id",
    }),
    namespaceId: field(z.string().optional(), {
      doc: "The id of the namespace that holds the enforcement.",
      role: "server's",
    }),
  },
  rules: [
    atLeastOne(
      SELECTORS,
      "one of authMethodAccessors, authMethodTypes, identityGroupIds and identityEntityIds must be given: an enforcement selects somebody",
      // An empty list counts: it clears this selector, and others may manage the other selectors.
      isWritten,
    ),
  ],
  notes: ({ inputs }) => {
    const given = SELECTORS.map((name) => inputs[name]).filter((list) => list !== undefined && list !== null);
    return given.every((list) => Array.isArray(list) && list.length === 0)
      ? ["every selector that the program writes is empty: it selects nobody, unless others select somebody"]
      : [];
  },
  where: place(inNamespace("{name}"), { names: { name: genericName } }),
  life: object({
    reads: {
      one: get(enforcement),
      shows: { always: ["mfa_method_ids"] },
      list: { ...objectsAt("/identity/mfa/login-enforcement", "name"), apart: inParentNamespace },
    },
    writes: merges({ create: post(enforcement), neverSentBack: ["namespace_path"] }),
    deletion: deletes(del(enforcement)),
  }),
});
