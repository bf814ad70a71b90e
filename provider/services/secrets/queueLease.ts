import { commonFields, define, get, object, post, replaces, stays } from "../../core";
import { optionalDuration } from "./durations";
import { mountField, placeOfEngine } from "./mounts";
import { namespaceField } from "./namespaces";
import { secrets } from "./service";

const lease = "/{+mount}/config/lease";

/** The lease settings of the RabbitMQ engine's credentials (specification: A2. Message-queue engine). */
export default define({
  token: "secrets:QueueLease",
  product: {
    noun: "RabbitMQ lease configuration",
    docs: "https://developer.hashicorp.com/vault/api-docs/secret/rabbitmq",
  },
  doc: "The lease settings for credentials of the RabbitMQ secrets engine. Each mount has one configuration.",
  section: "A2. Message-queue engine",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    mount: mountField("queue"),
    ttl: optionalDuration({ doc: "The TTL of credentials; 0 selects the mount's default.", default: 0 }),
    maxTtl: optionalDuration({
      doc: "The maximum TTL of credentials, including renewals; 0 selects the mount's maximum.",
      default: 0,
    }),
  },
  where: placeOfEngine("queue", "{mount}"),
  life: object({
    reads: { one: get(lease), expects: { always: ["ttl", "max_ttl"] } },
    writes: replaces(post(lease)),
    // A create adopts a lease that sets nothing, as if it did not exist.
    creation: { adoptsImplicitly: ({ ttl, max_ttl }) => ttl === 0 && max_ttl === 0 },
    deletion: stays("the server cannot delete the lease settings; to reset them, set both values to 0 first"),
  }),
});
