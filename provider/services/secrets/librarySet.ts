import { z } from "zod";
import {
  commonFields,
  define,
  del,
  deletes,
  field,
  get,
  isWritten,
  listOrCommaText,
  merges,
  object,
  post,
  type Value,
} from "../../core";
import { accountMoved } from "./accountMoved";
import { notLonger, optionalDuration, secondsIn } from "./durations";
import { mountField, placeOfEngine } from "./mounts";
import { setName } from "./names";
import { namespaceField } from "./namespaces";
import { keysAt, secrets } from "./service";

const DAY = 86_400;

const set = "/{+mount}/library/{name}";

/** The effective seconds of a duration in a new set; undefined while it is unknown. */
function lasting(value: Value | undefined): number | undefined {
  if (!isWritten(value)) return DAY;
  return typeof value === "string" || typeof value === "number" ? secondsIn(value) : undefined;
}

/** A set of service accounts that can be checked out (specification: A6. Directory engine, library sets). */
export default define({
  token: "secrets:LibrarySet",
  product: {
    noun: "LDAP library set",
    terraform: "`vault_ldap_secret_backend_library_set`",
    docs: "https://developer.hashicorp.com/vault/api-docs/secret/ldap",
  },
  doc: "A library set of the LDAP secrets engine: service accounts that can be checked out. A checked-out account cannot be removed from its set, and its set cannot be deleted.",
  section: "A6. Directory engine",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    mount: mountField("directory"),
    name: field(z.string().min(1), {
      doc: "The name of the library set in the secrets engine.",
      role: "identity",
      location: "address",
    }),
    serviceAccountNames: field(z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]), {
      doc: "The LDAP service accounts that can be checked out.",
      toWrite:
        "They must exist in LDAP, be used only through this secrets engine, and belong to no other set.",
      spelling: listOrCommaText,
      unordered: true,
    }),
    ttl: optionalDuration({
      doc: "The duration of a check-out before the server checks the account in automatically; 0 means no limit.",
      default: DAY,
    }),
    maxTtl: optionalDuration({
      doc: "The maximum duration of a check-out, including renewals; 0 means no limit.",
      default: DAY,
    }),
    disableCheckInEnforcement: field(z.boolean().optional(), {
      doc: "Allow anyone, not only the borrower, to check an account in.",
      default: false,
    }),
  },
  // The server rejects such a set, although no table of the specification mentions it.
  rules: [notLonger("ttl", "maxTtl")],
  notes: ({ step, inputs: { ttl, maxTtl } }) => {
    const [lent, atMost] = [lasting(ttl), lasting(maxTtl)];
    const isOneGiven = isWritten(ttl) !== isWritten(maxTtl);
    if (step !== "create" || !isOneGiven || !atMost || !(Number(lent) > atMost)) return [];
    return [
      `ttl (${lent} seconds) exceeds maxTtl (${atMost} seconds), which the server rejects: ${isWritten(ttl) ? "maxTtl" : "ttl"} has its default value, so set ttl and maxTtl`,
    ];
  },
  where: { ...placeOfEngine("directory", "{mount}/{name}"), names: { name: setName } },
  life: object({
    reads: {
      one: get(set),
      expects: { always: ["service_account_names"] },
      list: keysAt("/{+mount}/library"),
    },
    writes: merges(post(set)),
    deletion: deletes(del(set)),
    blocked: accountMoved,
  }),
});
