import { commonFields, define, durationAsText, get, merges, object, post, stays } from "../../core";
import { duration } from "./durations";
import { mountField, placeOfEngine } from "./mounts";
import { namespaceField } from "./namespaces";
import { secrets } from "./service";

const lease = "/{+mount}/config/lease";

/** The lease settings of the AWS engine's users (specification: A5. Cloud engine, config/lease). */
export default define({
  token: "secrets:CloudLease",
  doc: "How long the users that the cloud engine makes hold. There is one for each mount.",
  section: "A5. Cloud engine",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    mount: mountField("cloud"),
    lease: duration({
      doc: "How long a user holds before it must be renewed.",
      spelling: durationAsText,
      everyWrite: true,
    }),
    leaseMax: duration({
      doc: "How long a user holds at most, renewals included.",
      spelling: durationAsText,
      everyWrite: true,
    }),
  },
  where: placeOfEngine("cloud", "{mount}"),
  life: object({
    reads: { one: get(lease), shows: { always: ["lease", "lease_max"] } },
    writes: merges(post(lease)),
    deletion: stays(
      "the service has no request that takes the lease away, so it holds until the engine is unmounted",
    ),
  }),
});
