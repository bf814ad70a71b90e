import { invalid } from "../errors";
import type { CloudRole, CredentialType } from "./records";

/**
 * Checks the rules of the table "Role parameters" on the role after a write; throws a 400 if one is broken. Vault requires no
 * policy, and accepts TTLs of session tokens.
 */
export function checkRole(role: CloudRole, dialect: "neutral" | "real"): void {
  const rules = dialect === "real" ? [...COMMON, ...OF_VAULT] : [...COMMON, ...OF_SPECIFICATION];
  const problem = role.isLegacy ? undefined : rules.find(({ isBroken }) => isBroken(role));
  if (problem !== undefined) throw invalid(problem.message);
}

function isType(role: CloudRole, ...types: readonly CredentialType[]): boolean {
  return role.credentialTypes.some((type) => types.includes(type));
}

interface RoleRule {
  readonly message: string;
  readonly isBroken: (role: CloudRole) => boolean;
}

const hasTtl = (role: CloudRole) => role.defaultStsTtl > 0 || role.maxStsTtl > 0;

const OF_VAULT: readonly RoleRule[] = [
  {
    message:
      "default_sts_ttl and max_sts_ttl are valid only for assumed_role, federation_token and session_token",
    isBroken: (role) => !isType(role, "assumed_role", "federation_token", "session_token") && hasTtl(role),
  },
];

const OF_SPECIFICATION: readonly RoleRule[] = [
  {
    message: "one of policy_arns or policy_document must be supplied for iam_user and federation_token",
    isBroken: (role) =>
      isType(role, "iam_user", "federation_token") &&
      role.policyArns.length === 0 &&
      role.policyDocument === "",
  },
  {
    message: "default_sts_ttl and max_sts_ttl are valid only for assumed_role and federation_token",
    isBroken: (role) => !isType(role, "assumed_role", "federation_token") && hasTtl(role),
  },
];

const COMMON: readonly RoleRule[] = [
  {
    message: "credential_type is required",
    isBroken: (role) => role.credentialTypes.length === 0,
  },
  {
    message: "role_arns must be supplied when credential_type is assumed_role",
    isBroken: (role) => isType(role, "assumed_role") && role.roleArns.length === 0,
  },
  {
    message: "role_arns must not be supplied when credential_type is not assumed_role",
    isBroken: (role) => !isType(role, "assumed_role") && role.roleArns.length > 0,
  },
  {
    message: "policy_arns must not be supplied when credential_type is session_token",
    isBroken: (role) => isType(role, "session_token") && role.policyArns.length > 0,
  },
  {
    message: "policy_document must not be supplied when credential_type is session_token",
    isBroken: (role) => isType(role, "session_token") && role.policyDocument !== "",
  },
  {
    message: "default_sts_ttl must not be longer than max_sts_ttl",
    isBroken: (role) => role.maxStsTtl > 0 && role.defaultStsTtl > role.maxStsTtl,
  },
  {
    message: "user_path is valid only for iam_user",
    isBroken: (role) => !isType(role, "iam_user") && role.userPath !== "",
  },
  {
    message: "user_path must begin and end with /",
    isBroken: (role) => role.userPath !== "" && !/^\/([\x21-\x7f]{0,510}\/)?$/.test(role.userPath),
  },
  {
    message: "permissions_boundary_arn is valid only for iam_user",
    isBroken: (role) => !isType(role, "iam_user") && role.permissionsBoundaryArn !== "",
  },
];
