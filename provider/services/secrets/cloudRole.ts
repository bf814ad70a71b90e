import { z } from "zod";
import {
  commonFields,
  define,
  del,
  deletes,
  field,
  get,
  jsonText,
  listOrCommaText,
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

const list = (doc: string, toWrite?: string) =>
  field(z.union([z.string(), z.array(z.string())]).optional(), {
    doc: `${doc} As a list or separated by commas.`,
    ...(toWrite && { toWrite }),
    spelling: listOrCommaText,
    unordered: true,
    empty: [],
  });

const policy = { spelling: jsonText, document: {}, default: "" } as const;

const role = "/{+mount}/roles/{name}";

/** A role of the AWS engine (specification: A5. Cloud engine, Role parameters). */
export default define({
  token: "secrets:CloudRole",
  doc: "A role of the cloud engine: which credentials it makes, and what they may do.",
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
    credentialType: field(credentialType.optional(), {
      doc: "What the role makes.",
      toWrite: "Required, unless the legacy `policy` or `arn` stands in its place.",
      everyWrite: true,
      empty: "",
    }),
    roleArns: list(
      "The ARNs of the roles that can be assumed.",
      "Required for `assumed_role`, and prohibited for all other types.",
    ),
    policyArns: list("The ARNs of managed policies.", "Not for `session_token`."),
    // Open: a document in AWS's own policy language, which the server passes on.
    policyDocument: field(z.union([z.string(), z.record(z.string(), z.unknown())]).optional(), {
      doc: "The policy, as a map or as JSON text.",
      toWrite:
        "Managed whole. Not for `session_token`; for `iam_user` and `federation_token` it or `policyArns` is required.",
      ...policy,
    }),
    iamGroups: list("The groups to which users are added."),
    iamTags: field(z.union([z.record(z.string(), z.string()), z.array(z.string())]).optional(), {
      doc: "The tags of users, as a map or as a list of `key=value`.",
      spelling: tagMap,
      empty: {},
    }),
    defaultStsTtl: optionalDuration({
      doc: "How long sessions hold by default.",
      toWrite: "Only for `assumed_role` and `federation_token`.",
      empty: 0,
    }),
    maxStsTtl: optionalDuration({
      doc: "How long sessions hold at most.",
      toWrite: "Only for `assumed_role` and `federation_token`.",
      empty: 0,
    }),
    userPath: field(z.string().optional(), {
      doc: "The path under which users are made in the cloud.",
      toWrite: "Only for `iam_user`.",
      spelling: userPath,
      default: "/",
      empty: "",
    }),
    permissionsBoundaryArn: field(z.string().optional(), {
      doc: "The ARN of the policy that bounds users' permissions.",
      toWrite: "Only for `iam_user`.",
      empty: "",
    }),
    mfaSerialNumber: field(z.string().optional(), {
      doc: "The serial number of the MFA device of the root's user; none where it has none.",
      empty: "",
    }),
    // Open: a document in AWS's own policy language, which the server passes on.
    policy: field(z.union([z.string(), z.record(z.string(), z.unknown())]).optional(), {
      doc: "A policy in the legacy form, as a map or as JSON text. `creds` then makes users, and `sts` federation tokens.",
      toWrite: "Managed whole.",
      deprecated: "Use `credentialType` and `policyDocument`.",
      ...policy,
    }),
    arn: field(z.string().optional(), {
      doc: "One managed policy or role in the legacy form. `creds` then makes users, and `sts` assumes the role.",
      deprecated: "Use `credentialType` with `policyArns` or `roleArns`.",
      empty: "",
    }),
    invalidData: field(z.string().nullish(), {
      doc: "Role data that an earlier release took and this one does not.",
      role: "server's",
    }),
  },
  rules: cloudRoleRules,
  where: placeOfEngine("cloud", "{mount}/{name}"),
  life: object({
    reads: {
      one: get(role),
      shows: { always: ["policy_arns"] },
      as: withLegacyNames,
      list: keysAt("/{+mount}/roles"),
    },
    writes: merges({ create: post(role), completes: legacyOrModern, neverSentBack: KEPT }),
    deletion: deletes(del(role)),
  }),
});
