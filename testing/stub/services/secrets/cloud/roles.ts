import type { StubResponse } from "../../../service";
import { absent, invalid } from "../errors";
import { type Fields, isRecord } from "../fields";
import type { FurtherFields } from "../further-field";
import { answer, answerKeys, type Endpoint, NO_CONTENT } from "../operation";
import type { CloudOperation } from "./operation";
import { type CloudRole, CREDENTIAL_TYPES, type CredentialType } from "./records";
import { checkRole } from "./role-rules";

/** Roles: create or update, read, list, delete. */
export const roleEndpoints: readonly Endpoint<CloudOperation>[] = [
  { path: "roles", list: (operation) => answerKeys(operation, operation.data.roles) },
  {
    path: "roles/:name",
    read,
    write,
    remove,
    further: () => FURTHER,
    checkFurther,
    replaces: ({ fields }) => isLegacy(fields),
  },
];

/** A POST merges, so clearing a field needs "", [] or {}. */
function write({ params, fields, data, switches }: CloudOperation): StubResponse {
  const name = params.name ?? "";
  const before = data.roles.get(name);
  const role = isLegacy(fields) ? legacyRole(fields) : mergeRole(before ?? NEW_ROLE, fields);
  checkRole(role, switches.dialect);
  data.roles.set(name, role);
  return NO_CONTENT;
}

function read(operation: CloudOperation): StubResponse {
  const role = operation.data.roles.get(operation.params.name ?? "");
  if (role === undefined) throw absent();
  const types =
    operation.switches.dialect === "neutral"
      ? { credential_types: role.credentialTypes }
      : { credential_type: role.credentialTypes.join(",") };
  return answer(operation, {
    ...types,
    policy_document: role.policyDocument,
    policy_arns: orNull(role.policyArns),
    role_arns: orNull(role.roleArns),
    iam_groups: orNull(role.iamGroups),
    iam_tags: role.iamTags,
    default_sts_ttl: role.defaultStsTtl,
    max_sts_ttl: role.maxStsTtl,
    user_path: role.userPath,
    permissions_boundary_arn: role.permissionsBoundaryArn,
    mfa_serial_number: role.mfaSerialNumber,
    ...(role.invalidData === "" ? {} : { invalid_data: role.invalidData }),
  });
}

/** "404 when the role does not exist." */
function remove({ params, data }: CloudOperation): StubResponse {
  if (!data.roles.delete(params.name ?? "")) throw absent();
  return NO_CONTENT;
}

function mergeRole(before: CloudRole, fields: Fields): CloudRole {
  return {
    ...before,
    isLegacy: before.isLegacy && !fields.has("credential_type"),
    credentialTypes: readTypes(fields) ?? before.credentialTypes,
    roleArns: fields.list("role_arns") ?? before.roleArns,
    policyArns: fields.list("policy_arns") ?? before.policyArns,
    policyDocument: readDocument(fields, "policy_document") ?? before.policyDocument,
    iamGroups: fields.list("iam_groups") ?? before.iamGroups,
    iamTags: readTags(fields, "iam_tags") ?? before.iamTags,
    defaultStsTtl: fields.duration("default_sts_ttl") ?? before.defaultStsTtl,
    maxStsTtl: fields.duration("max_sts_ttl") ?? before.maxStsTtl,
    userPath: fields.string("user_path") ?? before.userPath,
    permissionsBoundaryArn: fields.string("permissions_boundary_arn") ?? before.permissionsBoundaryArn,
    mfaSerialNumber: fields.string("mfa_serial_number") ?? before.mfaSerialNumber,
    invalidData: "",
  };
}

/** Session tags and an external ID are part of an assumed role only. A legacy write drops them. */
function checkFurther(
  { params, fields, data }: CloudOperation,
  after: Readonly<Record<string, unknown>>,
): void {
  if (isLegacy(fields)) return;
  const { credentialTypes } = mergeRole(data.roles.get(params.name ?? "") ?? NEW_ROLE, fields);
  if (credentialTypes.includes("assumed_role")) return;
  const { session_tags: tags, external_id: id } = after;
  if (isRecord(tags) && Object.keys(tags).length > 0)
    throw invalid("cannot supply session_tags when credential_type isn't assumed_role");
  if (id !== undefined && id !== "")
    throw invalid("cannot supply external_id when credential_type isn't assumed_role");
}

/** `policy` and `arn`: "Legacy; cannot be mixed with the parameters above; one of them is required." */
function isLegacy(fields: Fields): boolean {
  if (!fields.has("policy") && !fields.has("arn")) return false;
  if (MODERN.some((name) => fields.has(name)) || (fields.has("policy") && fields.has("arn"))) {
    throw invalid("policy or arn cannot be mixed with one another or with other parameters of a role");
  }
  return true;
}

function legacyRole(fields: Fields): CloudRole {
  const legacy = { ...NEW_ROLE, isLegacy: true };
  const policy = readDocument(fields, "policy");
  if (policy !== undefined && policy !== "") {
    return { ...legacy, credentialTypes: ["iam_user", "federation_token"], policyDocument: policy };
  }
  const arn = fields.string("arn") ?? "";
  if (arn === "") throw invalid("one of policy or arn is required");
  return arn.includes(":role/")
    ? { ...legacy, credentialTypes: ["assumed_role"], roleArns: [arn] }
    : { ...legacy, credentialTypes: ["iam_user"], policyArns: [arn] };
}

function readTypes(fields: Fields): readonly CredentialType[] | undefined {
  const given = fields.string("credential_type");
  if (given === undefined) return undefined;
  const type = CREDENTIAL_TYPES.find((candidate) => candidate === given);
  if (type === undefined) throw invalid(`unrecognized credential_type: ${given}`);
  return [type];
}

/** JSON with its whitespace removed and its key order preserved. */
function readDocument(fields: Fields, name: string): string | undefined {
  const text = fields.string(name);
  if (text === undefined || text === "") return text;
  try {
    JSON.parse(text);
  } catch {
    throw invalid(`cannot parse ${name}: it is not JSON`);
  }
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
}

/** A list of `key=value`, or a map. */
function readTags(fields: Fields, name: string): Readonly<Record<string, string>> | undefined {
  const raw = fields.raw(name);
  if (isRecord(raw))
    return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, String(value)]));
  const pairs = fields.list(name)?.map((item) => {
    const separator = item.indexOf("=");
    if (separator < 1) throw invalid(`${name}: "${item}" is not key=value`);
    return [item.slice(0, separator), item.slice(separator + 1)] as const;
  });
  return pairs === undefined ? undefined : Object.fromEntries(pairs);
}

function orNull(list: readonly string[]): readonly string[] | null {
  return list.length === 0 ? null : list;
}

const MODERN = [
  "credential_type",
  "role_arns",
  "policy_arns",
  "policy_document",
  "iam_groups",
  "iam_tags",
  "default_sts_ttl",
  "max_sts_ttl",
  "user_path",
  "permissions_boundary_arn",
  "mfa_serial_number",
];

/** Fields of newer releases; a write that omits them leaves them unchanged. */
const FURTHER: FurtherFields = {
  external_id: { kind: "writable", initially: "" },
  session_tags: { kind: "writable", initially: null, parse: readTags },
};

/** A role before its first write. */
export const NEW_ROLE: CloudRole = {
  credentialTypes: [],
  isLegacy: false,
  roleArns: [],
  policyArns: [],
  policyDocument: "",
  iamGroups: [],
  iamTags: null,
  defaultStsTtl: 0,
  maxStsTtl: 0,
  userPath: "",
  permissionsBoundaryArn: "",
  mfaSerialNumber: "",
  invalidData: "",
};
