import { z } from "zod";
import { commonFields, define, del, deletes, field, get, merges, object, post } from "../../core";
import { duration } from "./durations";
import { mountField, placeOfEngine } from "./mounts";
import { namespaceField } from "./namespaces";
import { keysAt, secrets } from "./service";

/** The shortest period, in seconds: one minute (specification: Limits). */
const LEAST_PERIOD = 60;

const text = (doc: string) =>
  field(z.string().optional(), {
    doc: `${doc} Vault Enterprise only: if the server reports that it ignored the property, the operation fails.`,
    empty: "",
  });

const role = "/{+mount}/static-roles/{name}";

/** A static role of the AWS engine (specification: A5. Cloud engine, static roles). */
export default define({
  token: "secrets:CloudStaticRole",
  product: {
    noun: "AWS secrets engine static role",
    terraform: "`vault_aws_secret_backend_static_role`",
    docs: "https://developer.hashicorp.com/vault/api-docs/secret/aws",
  },
  doc: "A static role of the AWS secrets engine: an existing IAM user whose access key the server rotates. Creating the role immediately creates a new key; if the user already has the maximum number of keys, its oldest key is deleted. Deleting the role deletes the key that it returns.",
  section: "A5. Cloud engine",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    mount: mountField("cloud"),
    name: field(z.string().min(1), {
      doc: "The name of the role in the secrets engine.",
      role: "identity",
      location: "address",
    }),
    username: field(z.string().min(1), {
      doc: "The name of the IAM user whose access key is rotated.",
      toWrite: "Immutable, because the server rejects a different user.",
      immutable: true,
      everyWrite: true,
    }),
    rotationPeriod: duration({
      doc: "The time between rotations; at least one minute.",
      toWrite: "Sent only if its value changes, because each write restarts the rotation period.",
      least: LEAST_PERIOD,
    }),
    assumeRoleArn: text("The ARN of the IAM role that the server assumes in the account of the IAM user."),
    assumeRoleSessionName: text("The name of the session with that IAM role."),
    externalId: text("The external ID that the trust policy of that IAM role requires."),
  },
  notes: ({ step, changed }) => {
    if (step === "create") {
      return [
        "the server immediately creates a new access key for the user, and deletes the oldest key if the user already has the maximum number of keys",
        "deleting this role later also deletes its current access key in AWS; the IAM user and its other keys stay",
      ];
    }
    return changed.length > 0
      ? [
          "the update restarts the rotation period: the next rotation is one rotationPeriod after the update. OpenBao's AWS plugin instead continues with the previous period",
        ]
      : [];
  },
  where: placeOfEngine("cloud", "{mount}/{name}"),
  life: object({
    reads: { one: get(role), expects: { always: ["username"] }, list: keysAt("/{+mount}/static-roles") },
    writes: merges({
      create: post(role, { expects: ["username"] }),
      neverSentBack: ["id"],
    }),
    deletion: deletes(del(role), {
      leavesBehind:
        "the IAM user and its other access keys stay in AWS, without the role's current key, which the server deletes",
    }),
  }),
});
