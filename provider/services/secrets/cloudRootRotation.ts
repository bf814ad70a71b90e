import { z } from "zod";
import { action, actionFields, define, field, post } from "../../core";
import { mountField, placeOfEngine } from "./mounts";
import { namespaceField } from "./namespaces";
import { secrets } from "./service";

/** A rotation of the AWS engine's root access key (specification: A5, rotate-root). */
export default define({
  token: "secrets:CloudRootRotation",
  product: {
    noun: "AWS secrets engine root rotation",
    docs: "https://developer.hashicorp.com/vault/api-docs/secret/aws",
  },
  doc: "A rotation of the root access key of the AWS secrets engine. The server creates a new key and deletes the old one; only the server knows the new secret.",
  section: "A5. Cloud engine",
  service: secrets,
  fields: {
    ...actionFields,
    namespace: namespaceField,
    mount: mountField("cloud"),
    accessKey: field(z.string().nullable(), {
      doc: "The ID of the new access key; null if the response was lost.",
      role: "server's",
    }),
  },
  where: placeOfEngine("cloud", "{mount}"),
  life: action(post("/{+mount}/config/rotate-root", { expects: ["access_key"] }), {
    ifUnclear: "read config/root of the secrets engine and compare its access key with the previous key",
  }),
  notes: ({ step }) =>
    step === "create"
      ? [
          "the root access key must be the only access key of its IAM user; otherwise the server rejects the rotation",
        ]
      : [],
});
