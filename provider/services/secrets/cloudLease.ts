import { commonFields } from "../../core/language/commonFields";
import { idTemplate } from "../../core/language/id";
import { define } from "../../core/language/resource";
import { durationAsText } from "../../core/value/spelling";
import { duration, notLonger } from "./durations";
import { mountDefault, mountField } from "./mounts";
import { absentProof, secrets } from "./service";

/** The lease of the cloud engine's users (specification: A5. Cloud engine, config/lease). */
export default define({
  token: "secrets:CloudLease",
  doc: "How long the users that the cloud engine makes hold. There is one for each mount.",
  section: "A5. Cloud engine",
  service: secrets,
  fields: {
    ...commonFields,
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
  rules: [notLonger("lease", "leaseMax", { isUnlimited: false })],
  id: idTemplate("{mount}"),
  ...mountDefault("cloud"),
  read: { method: "GET", path: "/{+mount}/config/lease" },
  create: { method: "POST", path: "/{+mount}/config/lease" },
  update: { method: "POST", path: "/{+mount}/config/lease" },
  staysAs: "the service has no request that takes the lease away, so it holds until the engine is unmounted",
  updates: "merge",
  shows: { always: ["lease", "lease_max"] },
  gone: absentProof,
});
