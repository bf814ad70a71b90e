import { z } from "zod";
import { define, field, procedure, writeOnlyFields } from "../../core";
import { optionalDuration, secondsIn } from "./durations";
import { checkIn, checkOut, stillOurs } from "./library/borrowing";
import { mountField, placeOfEngine } from "./mounts";
import { namespaceField } from "./namespaces";
import { secrets } from "./service";

/** A checked-out account of a library set (specification: A6, check-out and check-in). */
export default define({
  token: "secrets:LibraryCheckOut",
  product: {
    noun: "LDAP library check-out",
    docs: "https://developer.hashicorp.com/vault/api-docs/secret/ldap",
  },
  doc: "One account of an LDAP library set, checked out while the resource exists, at most until its lease ends. Check-outs from the same set run one after another.",
  section: "A6. Directory engine",
  service: secrets,
  fields: {
    ...writeOnlyFields,
    namespace: namespaceField,
    mount: mountField("directory"),
    setName: field(z.string().min(1), {
      doc: "The name of the library set in the LDAP secrets engine.",
      role: "identity",
      location: "address",
    }),
    ttl: optionalDuration({
      doc: "The duration of the check-out. Maximum and default: the `ttl` of the library set.",
      immutable: true,
    }),
    manage: field(z.boolean().optional(), {
      doc: "Check the account in through the privileged manage path, which also accepts accounts that a different token checked out.",
      role: "steering",
      default: false,
    }),
    // Open: the program may use any values; only a change has an effect.
    triggers: field(z.array(z.unknown()).optional(), {
      doc: "Arbitrary values. Changing them checks the account in and checks out an account again.",
      role: "steering",
      immutable: true,
    }),
    serviceAccountName: field(z.string(), { doc: "The name of the checked-out account.", role: "server's" }),
    password: field(z.string(), {
      doc: "The password of the checked-out account.",
      role: "server's",
      secret: true,
    }),
    leaseId: field(z.string().optional(), {
      doc: "The ID of the lease, which the `sys/leases` endpoints accept.",
      role: "server's",
      secret: true,
    }),
    leaseDuration: field(z.number().optional(), {
      doc: "The granted duration of the check-out, in seconds; 0 means no limit.",
      role: "server's",
    }),
    leaseEnds: field(z.string().optional(), {
      doc: "The time when the lease ends (RFC 3339), by the clock of the machine that checked the account out. Missing if the lease has no limit.",
      role: "server's",
    }),
    renewable: field(z.boolean().optional(), {
      doc: "True if the lease can be renewed.",
      role: "server's",
    }),
  },
  notes: ({ step, inputs: { ttl } }) =>
    step === "create" && (typeof ttl === "string" || typeof ttl === "number") && secondsIn(ttl) === 0
      ? ["ttl is 0: if the library set allows it, the account stays checked out until someone checks it in"]
      : [],
  where: placeOfEngine("directory", "{mount}/{setName}/{serviceAccountName}", {
    fromResponse: { serviceAccountName: "service_account_name" },
  }),
  life: procedure({
    proceed: checkOut,
    refresh: stillOurs,
    end: checkIn,
    lastsUntil: "leaseEnds",
    description: {
      proceeds:
        "A create sends one check-out. If its response is lost, Quarterdeck reads the status of the set to find the newly checked-out account. The password is lost with the response. Therefore Quarterdeck checks in this account by its name, and the create fails. The next `pulumi up` checks out an account again.",
      refreshes:
        "A refresh reads the status of the set, once for all check-outs of the set. The refresh removes the resource from the state if the account is available, is checked out by someone else, or the lease has ended. After `leaseEnds`, a preview shows a replacement even without a refresh: the next `pulumi up` checks out an account again.",
      ends: "A delete checks the account in by name, if this resource still has it checked out. A check-in that returned no account succeeds if the status then shows the account as available.",
    },
  }),
});
