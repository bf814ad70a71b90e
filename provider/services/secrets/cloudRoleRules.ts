import type { z } from "zod";
import {
  atLeastOne,
  isEmpty,
  isGiven,
  type Json,
  jsonText,
  type Rule,
  rule,
  type Spelling,
  words,
} from "../../core";
import { notLonger, secondsIn } from "./durations";

/** The credential types of a role. */
export const credentialType = words({
  iam_user: "A user, which lasts as long as its lease.",
  assumed_role: "A session under another role.",
  federation_token: "A session of a federated user.",
  session_token: "A session of the root's own user.",
});

type CredentialType = z.infer<typeof credentialType>;

/** Tags as a map, or as a list of `key=value`. Requests send them as written. */
export const tagMap: Spelling = {
  name: "map or list of key=value",
  canonical(value) {
    if (!Array.isArray(value)) return value;
    const pairs = value.map((item) => /^([^=]*)=([\s\S]*)$/.exec(String(item)));
    if (pairs.includes(null)) return value;
    return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? "", pair?.[2] ?? ""]));
  },
};

/** The path of users; an empty path is the root. */
export const userPath: Spelling = { name: "path", canonical: (value) => (value === "" ? "/" : value) };

const MODERN = [
  "roleArns",
  "policyArns",
  "policyDocument",
  "iamGroups",
  "iamTags",
  "defaultStsTtl",
  "maxStsTtl",
  "userPath",
  "permissionsBoundaryArn",
  "mfaSerialNumber",
] as const;

const NO_POLICY = "must be a map, or JSON text";

/**
 * The rules of the table "Role parameters" (specification: A5), and rules for input that the server rejects although no
 * table mentions it. Such input is a user path in another form, a default beyond the maximum, a policy that is not JSON, and
 * a tag without `=`.
 */
export const cloudRoleRules: readonly Rule[] = [
  atLeastOne(
    ["credentialType", "policy", "arn"],
    "is required, unless the legacy policy or arn stands in its place",
  ),
  rule(
    ["policy", "arn"],
    (policy, arn) => isGiven(policy) && isGiven(arn),
    "cannot be given together with arn: a legacy role has one of them",
  ),
  ...(["policy", "arn"] as const).flatMap((legacy) =>
    (["credentialType", ...MODERN] as const).map((name) =>
      rule(
        [legacy, name],
        (one, other) =>
          isSaid(one) && isSaid(other)
            ? `cannot be given together with ${name}: the legacy parameters stand alone`
            : undefined,
        "stands alone: the legacy parameters cannot be given together with any other parameter of the role",
      ),
    ),
  ),
  rule(
    ["roleArns", "credentialType"],
    (arns, type) => type === "assumed_role" && !isSaid(arns),
    "is required where credentialType is assumed_role",
  ),
  onlyFor("roleArns", "assumed_role"),
  rule(
    ["policyArns", "policyDocument", "credentialType"],
    (arns, document, type) =>
      (type === "iam_user" || type === "federation_token") && !isSaid(arns) && !isSaid(document)
        ? `is missing: it or policyDocument is required where credentialType is ${type}`
        : undefined,
    "or `policyDocument` is required for `iam_user` and `federation_token`",
  ),
  onlyFor("policyArns", "iam_user", "assumed_role", "federation_token"),
  onlyFor("policyDocument", "iam_user", "assumed_role", "federation_token"),
  onlyFor("defaultStsTtl", "assumed_role", "federation_token"),
  onlyFor("maxStsTtl", "assumed_role", "federation_token"),
  notLonger("defaultStsTtl", "maxStsTtl"),
  onlyFor("userPath", "iam_user"),
  rule(
    ["userPath"],
    (path) => isGiven(path) && !/^\/([\x21-\x7f]{0,510}\/)?$/.test(String(path)),
    "must begin and end with /, as /teams/web/",
  ),
  onlyFor("permissionsBoundaryArn", "iam_user"),
  rule(["policyDocument"], isNoPolicy, NO_POLICY),
  rule(["policy"], isNoPolicy, NO_POLICY),
  rule(
    ["iamTags"],
    (tags) => {
      const wrong = Array.isArray(tags) ? tags.find((item) => !String(item).includes("=")) : undefined;
      return wrong === undefined ? undefined : `must hold key=value, not ${JSON.stringify(wrong)}`;
    },
    "as a list, must hold `key=value`",
  ),
];

function onlyFor(name: (typeof MODERN)[number], ...types: readonly CredentialType[]): Rule {
  return rule(
    [name, "credentialType"],
    (value, type) =>
      isSaid(value) && isGiven(type) && !types.some((allowed) => allowed === type)
        ? `is for ${types.join(", ")} only, and credentialType is ${String(type)}`
        : undefined,
    `is for ${types.map((type) => `\`${type}\``).join(", ")} only`,
  );
}

/** True if a parameter has an effect. Empty values and a duration of zero do not. */
function isSaid(value: Json | undefined): boolean {
  return isGiven(value) && !isEmpty(value) && secondsIn(value) !== 0;
}

/** True for text that is not a JSON document. The spelling leaves invalid JSON, and a JSON string, as text. */
function isNoPolicy(value: Json | undefined): boolean {
  return typeof value === "string" && typeof jsonText.canonical(value) === "string";
}
