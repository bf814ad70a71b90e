import { z } from "zod";
import { action, actionFields, define, field, post } from "../../core";
import { mountField, placeOfEngine } from "./mounts";
import { namespaceField } from "./namespaces";
import { secrets } from "./service";

/** A rotation of the AWS engine's root access key (specification: A5, rotate-root). */
export default define({
  token: "secrets:CloudRootRotation",
  doc: "One rotation of the cloud engine's root access key: the service makes a new key and deletes the old one, and alone knows the new secret.",
  section: "A5. Cloud engine",
  service: secrets,
  fields: {
    ...actionFields,
    namespace: namespaceField,
    mount: mountField("cloud"),
    accessKey: field(z.string().nullable(), {
      doc: "The id of the new access key; none where the answer was lost.",
      role: "server's",
    }),
  },
  where: placeOfEngine("cloud", "{mount}"),
  life: action(post("/{+mount}/config/rotate-root", { answers: ["access_key"] }), {
    ifUnclear: "read the engine's config/root and compare its access key with the one that you know",
  }),
  notes: ({ step }) =>
    step === "create"
      ? ["the root access key must be the only access key of its user, or the service refuses the rotation"]
      : [],
});
