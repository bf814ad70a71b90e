import { z } from "zod";
import { actionFields, define, field, procedure } from "../../core";
import { optionalDuration, secondsIn } from "./durations";
import { checkIn, checkOut, stillOurs } from "./library/borrowing";
import { mountField, placeOfEngine } from "./mounts";
import { namespaceField } from "./namespaces";
import { secrets } from "./service";

const { outcome: _, triggers: __, ...steering } = actionFields;

/** A checked-out account of a library set (specification: A6, check-out and check-in). */
export default define({
  token: "secrets:LibraryCheckOut",
  doc: "One account of a library set, checked out as long as the resource exists, and no longer than its lease. Resources on one set take their turns.",
  section: "A6. Directory engine",
  service: secrets,
  fields: {
    ...steering,
    namespace: namespaceField,
    mount: mountField("directory"),
    setName: field(z.string().min(1), {
      doc: "The name of the set that the account is lent from.",
      role: "identity",
      location: "address",
    }),
    ttl: optionalDuration({
      doc: "How long the account is lent; at most, and by default, the set's own `ttl`.",
      immutable: true,
    }),
    manage: field(z.boolean().optional(), {
      doc: "Whether the account is checked in by the privileged path, which also takes what another token has borrowed.",
      role: "steering",
      default: false,
    }),
    // Open: the program may use any values; only a change has an effect.
    triggers: field(z.array(z.unknown()).optional(), {
      doc: "Any values, or none. Others than last time return the account, and check one out anew.",
      role: "steering",
      immutable: true,
    }),
    serviceAccountName: field(z.string(), { doc: "The name of the account that is lent.", role: "server's" }),
    password: field(z.string(), { doc: "The account's password.", role: "server's", secret: true }),
    leaseId: field(z.string().optional(), {
      doc: "The id of the lease under which it is lent.",
      role: "server's",
      secret: true,
    }),
    leaseDuration: field(z.number().optional(), {
      doc: "Seconds for which the account was lent; 0 is unlimited.",
      role: "server's",
    }),
    leaseEnds: field(z.string().optional(), {
      doc: "When the lease ends (RFC 3339), by the clock of the machine that checked out; none where it is unlimited.",
      role: "server's",
    }),
    renewable: field(z.boolean().optional(), {
      doc: "Whether the lease can be renewed.",
      role: "server's",
    }),
  },
  notes: ({ step, inputs: { ttl } }) =>
    step === "create" && (typeof ttl === "string" || typeof ttl === "number") && secondsIn(ttl) === 0
      ? ["ttl is 0: where the set allows it, the account stays checked out until somebody checks it in"]
      : [],
  where: placeOfEngine("directory", "{mount}/{setName}/{serviceAccountName}", {
    answered: { serviceAccountName: "service_account_name" },
  }),
  life: procedure({
    proceed: checkOut,
    refresh: stillOurs,
    end: checkIn,
    lastsUntil: "leaseEnds",
    story: {
      proceeds:
        "A create checks an account out, once. Where its answer is lost, the set's status tells which account was newly borrowed; that one is returned by its name, and the create fails, so that the next up starts clean.",
      refreshes:
        "A refresh reads the set's status, once for all that are checked out of the set: the resource is gone when the account is available, is somebody else's, or the lease has ended. A preview after `leaseEnds` shows it as replaced, without a refresh: the next up checks an account out anew.",
      ends: "A delete checks the account in, by its name, if it is still ours. A check-in that returned nothing is a success once the status shows the account available.",
    },
  }),
});
