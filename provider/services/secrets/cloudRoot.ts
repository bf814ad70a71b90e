import { z } from "zod";
import {
  commonFields,
  type Dialect,
  define,
  exclusive,
  field,
  get,
  isGiven,
  memoByObject,
  merges,
  object,
  post,
  rule,
  stays,
} from "../../core";
import { withWholeRoot } from "./cloudRootUpdate";
import { optionalDuration } from "./durations";
import { mountField, placeOfEngine } from "./mounts";
import { namespaceField } from "./namespaces";
import { secrets } from "./service";
import { templateDoubts, templateProblem } from "./templates";
import { isReal } from "./usualMounts";

const endpoint = (of: string) =>
  field(z.string().optional(), { doc: `A custom HTTP endpoint of ${of}.`, empty: "" });

const root = "/{+mount}/config/root";

const writes = {
  create: post(root),
  // Vault keeps these values, and early releases reject a period together with a schedule.
  neverSentBack: ["rotation_period", "rotation_schedule", "rotation_window"],
} as const;

/** The lifecycle on a server that keeps the values that an update omits. */
const life = {
  reads: { one: get(root), shows: { always: ["access_key"] } },
  writes: merges(writes),
  deletion: stays(
    "the service has no request that takes the root credentials away, so they stay until the engine is unmounted",
  ),
} as const;

const cloudRoot = define({
  token: "secrets:CloudRoot",
  doc: "The credentials and endpoints with which the cloud engine works. There is one for each mount. The service does not try them. Without a key or an identity token it looks in its environment, in shared files, and in its instance's role. Vault before 1.19 and OpenBao's AWS plugin replace the root as a whole: there every update sends the key and its secret, and is refused if the program does not have the secret of the server's key.",
  section: "A5. Cloud engine",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    mount: mountField("cloud"),
    accessKey: field(z.string().optional(), {
      doc: "The id of the root access key. One that the service has rotated since stays as it is until another is written here.",
      writeOnly: "when-changed",
      sentWith: ["secretKey"],
      empty: "",
    }),
    secretKey: field(z.string().optional(), {
      doc: "The secret of the root access key.",
      secret: true,
      writeOnly: "when-changed",
      sentWith: ["accessKey"],
      empty: "",
    }),
    region: field(z.string().optional(), {
      doc: "The region. Where it is empty, the service's environment says it, else it is `us-east-1`.",
      empty: "",
    }),
    iamEndpoint: endpoint("the identity service"),
    stsEndpoint: endpoint("the token service"),
    maxRetries: field(z.int().optional(), {
      doc: "How often a failed call to the cloud is tried again; -1 is the cloud library's own number.",
      default: -1,
    }),
    usernameTemplate: field(z.string().optional(), {
      doc: "The template of the names of users and sessions. The cloud takes at most 64 characters for a user and 32 for a session.",
      writeOnly: "every-write",
      resetsWhenOmitted: true,
      empty: "",
    }),
    roleArn: field(z.string().optional(), {
      doc: "The role that the identity token assumes. Enterprise edition.",
      writeOnly: "when-changed",
      empty: "",
    }),
    identityTokenAudience: field(z.string().optional(), {
      doc: "The audience of the identity token that takes the place of a key. Enterprise edition.",
      writeOnly: "when-changed",
      empty: "",
    }),
    identityTokenTtl: optionalDuration({
      doc: "How long the identity token holds. Enterprise edition.",
      writeOnly: "when-changed",
      default: 3600,
    }),
  },
  rules: [
    exclusive("accessKey", "identityTokenAudience", "the engine works with a key or with an identity token"),
    rule(
      ["secretKey", "accessKey"],
      (secret, access) => isGiven(access) && !isGiven(secret),
      "is required with accessKey",
    ),
    rule(
      ["roleArn", "identityTokenAudience"],
      (role, audience) => isGiven(audience) && !isGiven(role),
      "is required with identityTokenAudience",
    ),
    rule(["usernameTemplate"], templateProblem, "must close each `{{`"),
  ],
  notes: ({ inputs }) => templateDoubts("usernameTemplate", inputs.usernameTemplate, {}),
  where: placeOfEngine("cloud", "{mount}"),
  life: object(life),
});

/** The AWS engine's root credentials (specification: A5. Cloud engine, config/root). */
export default {
  ...cloudRoot,
  inDialect: memoByObject((dialect: Dialect) =>
    isReal(dialect)
      ? define({
          ...cloudRoot,
          life: object({ ...life, writes: merges({ ...writes, completes: withWholeRoot }) }),
        })
      : cloudRoot,
  ),
};
