import { commonFields, define, durationAsText, get, merges, object, post, stays } from "../../core";
import { duration } from "./durations";
import { mountField, placeOfEngine } from "./mounts";
import { namespaceField } from "./namespaces";
import { secrets } from "./service";

const lease = "/{+mount}/config/lease";

/** The lease settings of the AWS engine's users (specification: A5. Cloud engine, config/lease). */
export default define({
  token: "secrets:CloudLease",
  product: {
    noun: "AWS secrets engine lease configuration",
    docs: "https://developer.hashicorp.com/vault/api-docs/secret/aws",
  },
  doc: "The lease settings for IAM users that the AWS secrets engine creates. Each mount has one configuration.",
  section: "A5. Cloud engine",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    mount: mountField("cloud"),
    lease: duration({
      doc: "The lease duration of a user, until the next renewal.",
      spelling: durationAsText,
      everyWrite: true,
    }),
    leaseMax: duration({
      doc: "The maximum lease duration of a user, including renewals.",
      spelling: durationAsText,
      everyWrite: true,
    }),
  },
  where: placeOfEngine("cloud", "{mount}"),
  life: object({
    reads: { one: get(lease), expects: { always: ["lease", "lease_max"] } },
    writes: merges(post(lease)),
    deletion: stays(
      "the server cannot delete the lease settings, so they apply until the secrets engine is unmounted",
    ),
  }),
});
