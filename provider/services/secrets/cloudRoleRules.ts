import type { z } from "zod";
import {
  atLeastOne,
  enumeration,
  isEmpty,
  isGiven,
  type Json,
  jsonText,
  type Rule,
  rule,
  type Spelling,
} from "../../core";
import { notLonger, secondsIn } from "./durations";

/** The credential types of a role. */
export const credentialType = enumeration({
  iam_user: "An IAM user, which exists until its lease ends.",
  assumed_role: "STS credentials from `AssumeRole`.",
  federation_token: "STS credentials from `GetFederationToken`.",
  session_token: "STS credentials from `GetSessionToken`, for the root credentials' user.",
});

type CredentialType = z.infer<typeof credentialType>;

/** Tags as a map, or as a list of `key=value`. Requests send them as written. */
export const tagMap: Spelling = {
  doc: "Also accepts a list of `key=value` strings.",
  canonical(value) {
    if (!Array.isArray(value)) return value;
    const pairs = value.map((item) => /^([^=]*)=([\s\S]*)$/.exec(String(item)));
    if (pairs.includes(null)) return value;
    return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? "", pair?.[2] ?? ""]));
  },
};

/** The path of users; an empty path is the root. */
export const userPath: Spelling = {
  doc: "An empty path equals `/`.",
  canonical: (value) => (value === "" ? "/" : value),
};

/** The properties that no legacy parameter can be combined with, besides `credentialType`. */
export const MODERN = [
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
  "sessionTags",
  "externalId",
] as const;

const NO_POLICY = "must be a map or a JSON string";

/**
 * The rules of the table "Role parameters" (specification: A5), and rules for input that the server rejects although no
 * table mentions it. Such input is a user path in another form, a default beyond the maximum, a policy that is not JSON, and
 * a tag without `=`, or without a key before it. Vault also accepts TTLs of session tokens, and groups instead of a policy.
 */
export const cloudRoleRules = ({ isReal }: { readonly isReal: boolean }): readonly Rule[] => [
  atLeastOne(["credentialType", "policy", "arn"], "is required, unless the legacy policy or arn is set"),
  rule(
    ["policy", "arn"],
    (policy, arn) => isGiven(policy) && isGiven(arn),
    "cannot be combined with arn: a legacy role has either policy or arn",
  ),
  ...(["policy", "arn"] as const).flatMap((legacy) =>
    (["credentialType", ...MODERN] as const).map((name) =>
      rule(
        [legacy, name],
        (one, other) =>
          hasValue(one) && hasValue(other)
            ? `cannot be combined with ${name}: a legacy parameter excludes all other parameters of the role`
            : undefined,
        "is a legacy parameter, and cannot be combined with other parameters of the role",
      ),
    ),
  ),
  rule(
    ["roleArns", "credentialType"],
    (arns, type) => type === "assumed_role" && !hasValue(arns),
    "is required if credentialType is assumed_role",
  ),
  onlyFor("roleArns", "assumed_role"),
  rule(
    ["policyArns", "policyDocument", "credentialType", ...(isReal ? ["iamGroups"] : [])],
    (arns, document, type, groups) =>
      (type === "iam_user" || type === "federation_token") && ![arns, document, groups].some(hasValue)
        ? `is required if credentialType is ${type}, unless policyDocument${isReal ? " or iamGroups" : ""} is set`
        : undefined,
    `is required for \`iam_user\` and \`federation_token\`, unless \`policyDocument\`${isReal ? " or `iamGroups`" : ""} is set`,
  ),
  onlyFor("policyArns", "iam_user", "assumed_role", "federation_token"),
  onlyFor("policyDocument", "iam_user", "assumed_role", "federation_token"),
  ...(["defaultStsTtl", "maxStsTtl"] as const).map((name) =>
    onlyFor(name, "assumed_role", "federation_token", ...(isReal ? ["session_token" as const] : [])),
  ),
  notLonger("defaultStsTtl", "maxStsTtl"),
  onlyFor("userPath", "iam_user"),
  rule(
    ["userPath"],
    (path) => isGiven(path) && !/^\/([\x21-\x7f]{0,510}\/)?$/.test(String(path)),
    "must start and end with /, such as /teams/web/",
  ),
  onlyFor("permissionsBoundaryArn", "iam_user"),
  rule(["policyDocument"], isNoPolicy, NO_POLICY),
  rule(["policy"], isNoPolicy, NO_POLICY),
  onlyFor("sessionTags", "assumed_role"),
  onlyFor("externalId", "assumed_role"),
  tagPairs("iamTags"),
  tagPairs("sessionTags"),
];

function tagPairs(name: string): Rule {
  return rule(
    [name],
    (tags) => {
      const wrong = Array.isArray(tags) ? tags.find((item) => !/^[^=]+=/.test(String(item))) : undefined;
      return wrong === undefined ? undefined : `must contain key=value pairs, not ${JSON.stringify(wrong)}`;
    },
    "must contain `key=value` pairs, if it is a list",
  );
}

function onlyFor(name: (typeof MODERN)[number], ...types: readonly CredentialType[]): Rule {
  return rule(
    [name, "credentialType"],
    (value, type) =>
      hasValue(value) && isGiven(type) && !types.some((allowed) => allowed === type)
        ? `is only for ${types.join(", ")}; credentialType is ${String(type)}`
        : undefined,
    `is only for ${types.map((type) => `\`${type}\``).join(", ")}`,
  );
}

/** True if a parameter has an effect. Empty values and a duration of zero do not. */
export function hasValue(value: Json | undefined): boolean {
  return isGiven(value) && !isEmpty(value) && secondsIn(value) !== 0;
}

/** True for text that is not a JSON document. The spelling leaves invalid JSON, and a JSON string, as text. */
function isNoPolicy(value: Json | undefined): boolean {
  return typeof value === "string" && typeof jsonText.canonical(value) === "string";
}
