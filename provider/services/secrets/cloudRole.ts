import { z } from "zod";
import {
  commonFields,
  type Dialect,
  define,
  del,
  deletes,
  field,
  get,
  jsonText,
  listOrCommaText,
  memoByObject,
  merges,
  object,
  post,
} from "../../core";
import { KEPT, legacyOrModern, withLegacyNames } from "./cloudRoleLegacy";
import { cloudRoleRules, credentialType, tagMap, userPath } from "./cloudRoleRules";
import { optionalDuration } from "./durations";
import { mountField, placeOfEngine } from "./mounts";
import { namespaceField } from "./namespaces";
import { keysAt, secrets } from "./service";
import { isReal } from "./usualMounts";

const list = (doc: string, toWrite?: string) =>
  field(z.union([z.string(), z.array(z.string())]).optional(), {
    doc,
    ...(toWrite && { toWrite }),
    spelling: listOrCommaText,
    unordered: true,
    empty: [],
  });

const tags = (doc: string, toWrite?: string) =>
  field(z.union([z.record(z.string(), z.string()), z.array(z.string())]).optional(), {
    doc,
    ...(toWrite && { toWrite }),
    spelling: tagMap,
    empty: {},
  });

const policy = { spelling: jsonText, document: {}, default: "" } as const;

const role = "/{+mount}/roles/{name}";

const cloudRole = define({
  token: "secrets:CloudRole",
  product: {
    noun: "AWS secrets engine role",
    terraform: "`vault_aws_secret_backend_role`",
    docs: "https://developer.hashicorp.com/vault/api-docs/secret/aws",
  },
  doc: "A role of the AWS secrets engine: the type of its credentials, and their permissions.",
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
    credentialType: field(credentialType.optional(), {
      doc: "The type of credentials that the role issues.",
      toWrite: "Required, unless the legacy `policy` or `arn` is set.",
      everyWrite: true,
      empty: "",
    }),
    roleArns: list(
      "The ARNs of the IAM roles that can be assumed.",
      "Required for `assumed_role`; not allowed for other types.",
    ),
    policyArns: list("The ARNs of IAM managed policies.", "Not for `session_token`."),
    // Open: a document in AWS's own policy language, which the server passes on.
    policyDocument: field(z.union([z.string(), z.record(z.string(), z.unknown())]).optional(), {
      doc: "The IAM policy that limits the issued credentials.",
      toWrite:
        "Not for `session_token`. `iam_user` and `federation_token` require it, `policyArns` or `iamGroups`.",
      ...policy,
    }),
    iamGroups: list(
      "The IAM groups that the IAM users of this role join. With `assumed_role` and `federation_token`, the policies of these groups also limit the credentials.",
    ),
    iamTags: tags("The IAM tags of the IAM users of this role."),
    defaultStsTtl: optionalDuration({
      doc: "The default TTL of STS credentials.",
      toWrite: "Only for `assumed_role`, `federation_token` and, in Vault, `session_token`.",
      empty: 0,
    }),
    maxStsTtl: optionalDuration({
      doc: "The maximum TTL of STS credentials.",
      toWrite: "Only for `assumed_role`, `federation_token` and, in Vault, `session_token`.",
      empty: 0,
    }),
    userPath: field(z.string().optional(), {
      doc: "The IAM path of users.",
      toWrite: "Only for `iam_user`.",
      spelling: userPath,
      default: "/",
      empty: "",
    }),
    permissionsBoundaryArn: field(z.string().optional(), {
      doc: "The ARN of the permissions boundary of users.",
      toWrite: "Only for `iam_user`.",
      empty: "",
    }),
    mfaSerialNumber: field(z.string().optional(), {
      doc: "The serial number or ARN of the MFA device of the root credentials' user. Omit it if that user has no MFA device.",
      empty: "",
    }),
    // Open: a document in AWS's own policy language, which the server passes on.
    policy: field(z.union([z.string(), z.record(z.string(), z.unknown())]).optional(), {
      doc: "A policy in the legacy form. `creds` then issues users, and `sts` issues federation tokens.",
      deprecated: "Use `credentialType` and `policyDocument`.",
      ...policy,
    }),
    arn: field(z.string().optional(), {
      doc: "The ARN of one managed policy or role in the legacy form. `creds` then issues users, and `sts` assumes the role.",
      deprecated: "Use `credentialType` with `policyArns` or `roleArns`.",
      empty: "",
    }),
    sessionTags: tags(
      "The session tags of the STS credentials.",
      "Only for `assumed_role`. Vault 1.18 or later.",
    ),
    externalId: field(z.string().optional(), {
      doc: "The external ID that the trust policy of the assumed IAM role requires.",
      toWrite: "Only for `assumed_role`. Vault 1.18 or later.",
      empty: "",
    }),
    invalidData: field(z.string().nullish(), {
      doc: "Role data that an earlier server release accepted and this one rejects.",
      role: "server's",
    }),
  },
  rules: cloudRoleRules({ isReal: true }),
  where: placeOfEngine("cloud", "{mount}/{name}"),
  life: object({
    reads: {
      one: get(role),
      expects: { always: ["policy_arns"] },
      toObject: withLegacyNames,
      list: keysAt("/{+mount}/roles"),
    },
    writes: merges({ create: post(role), completeBody: legacyOrModern, neverSentBack: KEPT }),
    deletion: deletes(del(role)),
  }),
});

/** A role of the AWS engine (specification: A5. Cloud engine, Role parameters). */
export default {
  ...cloudRole,
  inDialect: memoByObject((dialect: Dialect) =>
    isReal(dialect) ? cloudRole : define({ ...cloudRole, rules: cloudRoleRules({ isReal: false }) }),
  ),
};
