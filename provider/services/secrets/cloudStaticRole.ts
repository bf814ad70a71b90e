import { z } from "zod";
import { commonFields } from "../../core/language/commonFields";
import { field } from "../../core/language/facts";
import { idTemplate } from "../../core/language/id";
import { define } from "../../core/language/resource";
import { duration } from "./durations";
import { mountDefault, mountField } from "./mounts";
import { absentProof, secrets } from "./service";

/** The shortest period, in seconds: a minute (specification: Limits). */
const LEAST_PERIOD = 60;

/** A static role of the cloud engine (specification: A5. Cloud engine, static roles). */
export default define({
  token: "secrets:CloudStaticRole",
  doc: "A cloud user that exists, and whose access key the service rotates. A create makes a new key at once, and rotates the oldest one away where the user has as many as it may have.",
  section: "A5. Cloud engine",
  service: secrets,
  fields: {
    ...commonFields,
    mount: mountField("cloud"),
    name: field(z.string().min(1), { doc: "The role's name.", role: "identity", place: "address" }),
    username: field(z.string().min(1), {
      doc: "The user whose key is rotated. The service would keep the old user's keys under another name here.",
      immutable: true,
      everyWrite: true,
    }),
    rotationPeriod: duration({
      doc: "From one rotation to the next; a minute at least. It is sent only when its value changes, because that starts the clock anew.",
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
  id: idTemplate("{mount}/{name}"),
  ...mountDefault("cloud"),
  read: { method: "GET", path: "/{+mount}/static-roles/{name}" },
  create: { method: "POST", path: "/{+mount}/static-roles/{name}", answers: ["username"] },
  update: { method: "POST", path: "/{+mount}/static-roles/{name}", answers: ["username"] },
  remove: { method: "DELETE", path: "/{+mount}/static-roles/{name}" },
  leavesBehind: "the user and its keys stay in the cloud, to be cleaned up by hand",
  updates: "merge",
  shows: { always: ["username"] },
  gone: absentProof,
  list: { route: { method: "GET", path: "/{+mount}/static-roles", query: { list: "true" } }, whole: false },
});
