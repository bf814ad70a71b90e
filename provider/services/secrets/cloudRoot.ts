import { z } from "zod";
import {
  commonFields,
  type Dialect,
  define,
  exclusive,
  field,
  get,
  isGiven,
  type Json,
  listOrCommaText,
  memoByObject,
  merges,
  object,
  post,
  rule,
  stays,
} from "../../core";
import { automatedRotation } from "./automatedRotation";
import { extendedRootFields, withoutDefaultTemplate } from "./cloudRootFields";
import { withWholeRoot } from "./cloudRootUpdate";
import { mountField, placeOfEngine } from "./mounts";
import { namespaceField } from "./namespaces";
import { secrets } from "./service";
import { templateDoubts, templateProblem } from "./templates";
import { isReal } from "./usualMounts";

const endpoint = (of: string) =>
  field(z.string().optional(), { doc: `A custom HTTP endpoint for ${of}.`, empty: "" });

const fallbacks = (of: string, other: string) =>
  field(z.union([z.string(), z.array(z.string())]).optional(), {
    doc: `${of} for AWS STS that the server tries in order, if the first one fails. Vault 1.19 or later.`,
    toWrite: `Must have as many elements as \`${other}\`.`,
    spelling: listOrCommaText,
    sentWith: [other],
    empty: [],
  });

/** The number of elements; undefined for a value that is no list. */
function lengthOf(list: Json | undefined): number | undefined {
  const elements = listOrCommaText.canonical(list ?? []);
  return Array.isArray(elements) ? elements.length : undefined;
}

const root = "/{+mount}/config/root";

const writes = { create: post(root) };

const rotation = automatedRotation("the root access key");

const life = {
  reads: { one: get(root), expects: { always: ["access_key"] }, toObject: withoutDefaultTemplate },
  writes: merges({ ...writes, completeBody: withWholeRoot }),
  deletion: stays(
    "the server cannot delete the root credentials, so they stay until the secrets engine is unmounted",
  ),
} as const;

const cloudRoot = define({
  token: "secrets:CloudRoot",
  product: {
    noun: "AWS secrets engine root configuration",
    terraform: "`vault_aws_secret_backend`",
    docs: "https://developer.hashicorp.com/vault/api-docs/secret/aws",
  },
  doc: "The root configuration of the AWS secrets engine: its credentials and endpoints. Each mount has one configuration. The server does not test the credentials. Without an access key or an identity token, the server uses its environment, shared credentials files, or its instance role. Vault before 1.19 and OpenBao's AWS plugin replace the complete configuration: every update sends the access key and its secret. Such an update fails if the program does not have the secret of the server's access key.",
  section: "A5. Cloud engine",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    mount: mountField("cloud"),
    accessKey: field(z.string().optional(), {
      doc: "The ID of the root access key. A key that the server rotated stays in use until you change this property.",
      writeOnly: "when-changed",
      sentWith: ["secretKey"],
      empty: "",
    }),
    secretKey: field(z.string().optional(), {
      doc: "The secret access key that belongs to `accessKey`.",
      secret: true,
      writeOnly: "when-changed",
      sentWith: ["accessKey"],
      empty: "",
    }),
    region: field(z.string().optional(), {
      doc: "The AWS region. If empty, the server's environment sets it, else it is `us-east-1`.",
      empty: "",
    }),
    iamEndpoint: endpoint("AWS IAM"),
    stsEndpoint: endpoint("AWS STS"),
    stsRegion: field(z.string().optional(), {
      doc: "The AWS region of STS requests. If empty, it is `region`. Vault 1.19 or later.",
      empty: "",
    }),
    stsFallbackEndpoints: fallbacks("Further endpoints", "stsFallbackRegions"),
    stsFallbackRegions: fallbacks("The regions of the further endpoints", "stsFallbackEndpoints"),
    maxRetries: field(z.int().optional(), {
      doc: "The maximum number of retries of a failed AWS request; -1 selects the default of the AWS SDK.",
      default: -1,
    }),
    ...extendedRootFields({ isReturned: true }),
    ...rotation.fields,
  },
  rules: [
    exclusive(
      "accessKey",
      "identityTokenAudience",
      "the AWS secrets engine uses an access key or an identity token",
    ),
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
    rule(
      ["stsFallbackEndpoints", "stsFallbackRegions"],
      (endpoints, regions) => lengthOf(endpoints) !== lengthOf(regions),
      "must have as many elements as stsFallbackRegions",
    ),
    ...rotation.rules,
    rule(["usernameTemplate"], templateProblem, "must close each `{{`"),
  ],
  notes: ({ inputs }) => templateDoubts("usernameTemplate", inputs.usernameTemplate, {}),
  where: placeOfEngine("cloud", "{mount}"),
  life: object(life),
});

/**
 * The AWS engine's root credentials (specification: A5. Cloud engine, config/root). The server of the specification keeps the
 * values that an update omits, and returns fewer fields than Vault and OpenBao.
 */
export default {
  ...cloudRoot,
  inDialect: memoByObject((dialect: Dialect) =>
    isReal(dialect)
      ? cloudRoot
      : define({
          ...cloudRoot,
          fields: { ...cloudRoot.fields, ...extendedRootFields({ isReturned: false }) },
          life: object({ ...life, writes: merges(writes) }),
        }),
  ),
};
