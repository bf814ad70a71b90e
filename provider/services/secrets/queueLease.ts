import { commonFields, define, get, object, post, replaces, stays } from "../../core";
import { optionalDuration } from "./durations";
import { mountField, placeOfEngine } from "./mounts";
import { namespaceField } from "./namespaces";
import { secrets } from "./service";

const lease = "/{+mount}/config/lease";

/** The lease settings of the RabbitMQ engine's credentials (specification: A2. Message-queue engine). */
export default define({
  token: "secrets:QueueLease",
  doc: "How long the credentials of the message-queue engine hold. There is one for each mount.",
  section: "A2. Message-queue engine",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    mount: mountField("queue"),
    ttl: optionalDuration({ doc: "How long credentials hold; 0 is the mount's own.", default: 0 }),
    maxTtl: optionalDuration({
      doc: "How long credentials hold at most, renewals included; 0 is the mount's own.",
      default: 0,
    }),
  },
  where: placeOfEngine("queue", "{mount}"),
  life: object({
    reads: { one: get(lease), shows: { always: ["ttl", "max_ttl"] } },
    writes: replaces(post(lease)),
    // A create adopts a lease that sets nothing, as if it did not exist.
    creation: { takesOver: ({ ttl, max_ttl }) => ttl === 0 && max_ttl === 0 },
    deletion: stays(
      "the service has no request that takes the lease away; write both values as 0 before, to be rid of it",
    ),
  }),
});
