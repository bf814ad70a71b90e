import { commonFields } from "../../core/language/commonFields";
import { idTemplate } from "../../core/language/id";
import { define } from "../../core/language/resource";
import { notLonger, optionalDuration } from "./durations";
import { mountDefault, mountField } from "./mounts";
import { absentProof, secrets } from "./service";

/** The lease of the message-queue engine's credentials (specification: A2. Message-queue engine). */
export default define({
  token: "secrets:QueueLease",
  doc: "How long the credentials of the message-queue engine hold. There is one for each mount.",
  section: "A2. Message-queue engine",
  service: secrets,
  fields: {
    ...commonFields,
    mount: mountField("queue"),
    ttl: optionalDuration({ doc: "How long credentials hold; 0 is the mount's own.", default: 0 }),
    maxTtl: optionalDuration({
      doc: "How long credentials hold at most, renewals included; 0 is the mount's own.",
      default: 0,
    }),
  },
  rules: [notLonger("ttl", "maxTtl", { isUnlimited: false })],
  id: idTemplate("{mount}"),
  ...mountDefault("queue"),
  read: { method: "GET", path: "/{+mount}/config/lease" },
  create: { method: "POST", path: "/{+mount}/config/lease" },
  update: { method: "POST", path: "/{+mount}/config/lease" },
  staysAs:
    "the service has no request that takes the lease away; write both values as 0 before, to be rid of it",
  // What sets nothing is as good as nothing.
  takesOver: ({ ttl, max_ttl }) => ttl === 0 && max_ttl === 0,
  updates: "replace",
  shows: { always: ["ttl", "max_ttl"] },
  gone: absentProof,
});
