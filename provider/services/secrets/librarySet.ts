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
  doc: "A set of the directory's service accounts that can be checked out. An account that is checked out can neither leave its set nor be deleted with it.",
  section: "A6. Directory engine",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    mount: mountField("directory"),
    name: field(z.string().min(1), {
      doc: "The name by which the engine knows the set.",
      role: "identity",
      location: "address",
    }),
    serviceAccountNames: field(z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]), {
      doc: "The accounts, as a list or separated by commas.",
      toWrite: "They must exist in the directory, be used by the service only, and stand in no other set.",
      spelling: listOrCommaText,
      unordered: true,
    }),
    ttl: optionalDuration({ doc: "How long an account is lent; 0 is unlimited.", default: DAY }),
    maxTtl: optionalDuration({
      doc: "How long an account is lent at most, renewals included; 0 is unlimited.",
      default: DAY,
    }),
    disableCheckInEnforcement: field(z.boolean().optional(), {
      doc: "Whether anybody may check an account in, and not its borrower alone.",
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
      `ttl is ${lent} and maxTtl ${atMost} seconds, one of them because it is not given: the service refuses a ttl that is longer`,
    ];
  },
  where: { ...placeOfEngine("directory", "{mount}/{name}"), names: { name: setName } },
  life: object({
    reads: { one: get(set), shows: { always: ["service_account_names"] }, list: keysAt("/{+mount}/library") },
    writes: merges(post(set)),
    deletion: deletes(del(set)),
    blocked: accountMoved,
  }),
});
