import { z } from "zod";
import { commonFields, define, del, deletes, field, get, merges, object, post } from "../../core";
import { duration } from "./durations";
import { mountField, placeOfEngine } from "./mounts";
import { namespaceField } from "./namespaces";
import { keysAt, secrets } from "./service";

/** The shortest period, in seconds: one minute (specification: Limits). */
const LEAST_PERIOD = 60;

const role = "/{+mount}/static-roles/{name}";

/** A static role of the AWS engine (specification: A5. Cloud engine, static roles). */
export default define({
  token: "secrets:CloudStaticRole",
  doc: "A cloud user that exists, and whose access key the service rotates. A create makes a new key at once, and rotates the oldest one away where the user has as many as it may have.",
  section: "A5. Cloud engine",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    mount: mountField("cloud"),
    name: field(z.string().min(1), {
      doc: "The name by which the engine knows the role.",
      role: "identity",
      location: "address",
    }),
    username: field(z.string().min(1), {
      doc: "The name of the user whose key is rotated.",
      toWrite: "The service would keep the old user's keys under another name here.",
      immutable: true,
      everyWrite: true,
    }),
    rotationPeriod: duration({
      doc: "How long it is from one rotation to the next; a minute at least.",
      toWrite: "It is sent only when its value changes, because that starts the clock anew.",
      least: LEAST_PERIOD,
    }),
  },
  notes: ({ step, changed }) => {
    if (step === "create") {
      return [
        "the service makes a new access key for the user at once, and rotates the oldest one away where the user has as many as it may have",
        "a later delete leaves the user and its keys in the cloud, to be cleaned up by hand",
      ];
    }
    return changed.some(([name]) => name === "rotationPeriod")
      ? ["the next rotation will be one new rotationPeriod from the update: the rotation clock starts anew"]
      : [];
  },
  where: placeOfEngine("cloud", "{mount}/{name}"),
  life: object({
    reads: { one: get(role), shows: { always: ["username"] }, list: keysAt("/{+mount}/static-roles") },
    writes: merges({
      create: post(role, { answers: ["username"] }),
      neverSentBack: ["id", "assume_role_arn", "assume_role_session_name", "external_id"],
    }),
    deletion: deletes(del(role), {
      leavesBehind: "the user and its keys stay in the cloud, to be cleaned up by hand",
    }),
  }),
});
