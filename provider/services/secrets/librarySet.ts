import { z } from "zod";
import { define, del, deletes, get, merges, object, post } from "../../core/language";
import { commonFields } from "../../core/language/commonFields";
import { field } from "../../core/language/facts";
import { listOrCommaText } from "../../core/value/spelling";
import { notLonger, optionalDuration } from "./durations";
import { mounted, mountField } from "./mounts";
import { keysAt, secrets } from "./service";

const DAY = 86_400;

const set = "/{+mount}/library/{name}";

/** A set of service accounts that can be checked out (specification: A6. Directory engine, library sets). */
export default define({
  token: "secrets:LibrarySet",
  doc: "A set of the directory's service accounts that can be checked out. An account that is checked out can neither leave its set nor be deleted with it.",
  section: "A6. Directory engine",
  service: secrets,
  fields: {
    ...commonFields,
    mount: mountField("directory"),
    name: field(z.string().min(1), { doc: "The set's name.", role: "identity", location: "address" }),
    serviceAccountNames: field(z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]), {
      doc: "The accounts, as a list or separated by commas. They must exist in the directory, be used by the service only, and stand in no other set.",
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
  rules: [notLonger("ttl", "maxTtl", { isUnlimited: true, default: DAY })],
  where: mounted("directory", "{mount}/{name}"),
  life: object({
    reads: { one: get(set), shows: { always: ["service_account_names"] }, list: keysAt("/{+mount}/library") },
    writes: merges(post(set)),
    deletion: deletes(del(set)),
  }),
});
