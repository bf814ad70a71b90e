import type { StubResponse } from "../../../service";
import { absent, invalid, serverError } from "../errors";
import type { Fields } from "../fields";
import { AUTOMATED_ROTATION, checkRotation, type FurtherFields } from "../further-field";
import { answer, type Endpoint, NO_CONTENT } from "../operation";
import { render } from "../templates";
import { type CloudOperation, newAccessKey } from "./operation";
import type { CloudRoot } from "./records";

/** Root credentials: configure, read without secrets, rotate. */
export const rootEndpoints: readonly Endpoint<CloudOperation>[] = [
  {
    path: "config/root",
    read,
    write,
    further: ({ updates }) => (updates === "merge" ? FURTHER : {}),
    checkFurther,
  },
  { path: "config/rotate-root", parameters: [], write: rotate },
];

/**
 * A POST merges, except `username_template`, which resets when omitted. Before Vault 1.19, and in OpenBao's plugin, it
 * replaces all fields. The credentials are not validated.
 */
function write({ fields, data, randomness, request, switches }: CloudOperation): StubResponse {
  const isMerged = switches.updates === "merge";
  const before = (isMerged ? data.root.get("config") : undefined) ?? UNCONFIGURED;
  const root: CloudRoot = {
    maxRetries: fields.integer("max_retries") ?? before.maxRetries,
    accessKey: fields.string("access_key") ?? before.accessKey,
    secretKey: fields.string("secret_key") ?? before.secretKey,
    region: fields.string("region") ?? before.region,
    iamEndpoint: fields.string("iam_endpoint") ?? before.iamEndpoint,
    stsEndpoint: fields.string("sts_endpoint") ?? before.stsEndpoint,
    usernameTemplate: fields.string("username_template") ?? "",
    roleArn: fields.string("role_arn") ?? before.roleArn,
    identityTokenAudience: fields.string("identity_token_audience") ?? before.identityTokenAudience,
    identityTokenTtl: fields.duration("identity_token_ttl") ?? before.identityTokenTtl,
  };
  if (root.accessKey !== "" && root.identityTokenAudience !== "") {
    throw invalid("only one of 'access_key' or 'identity_token_audience' can be set");
  }
  if (root.accessKey !== "" && root.secretKey === "") {
    throw invalid("missing required 'secret_key' when 'access_key' is set");
  }
  if (root.identityTokenAudience !== "" && root.roleArn === "") {
    throw invalid("missing required 'role_arn' when 'identity_token_audience' is set");
  }
  if (root.usernameTemplate !== "") {
    const fields = { DisplayName: "token", PolicyName: "policy", RoleName: "role", Type: "IAM" };
    render(root.usernameTemplate, { fields, randomness, now: request.now, isLdif: false });
  }
  data.root.set("config", root);
  return NO_CONTENT;
}

/** "`secret_key` is never returned"; Vault returns more fields than the specification lists. */
function read(operation: CloudOperation): StubResponse {
  const root = operation.data.root.get("config");
  if (root === undefined) throw absent();
  const listed = {
    access_key: root.accessKey,
    region: root.region,
    iam_endpoint: root.iamEndpoint,
    sts_endpoint: root.stsEndpoint,
    max_retries: root.maxRetries,
  };
  const more = {
    username_template: root.usernameTemplate || DEFAULT_TEMPLATE,
    role_arn: root.roleArn,
    identity_token_audience: root.identityTokenAudience,
    identity_token_ttl: root.identityTokenTtl,
  };
  return answer(operation, operation.switches.dialect === "neutral" ? listed : { ...listed, ...more });
}

function checkFurther({ fields, switches }: CloudOperation, after: Readonly<Record<string, unknown>>): void {
  const count = (value: unknown) => (Array.isArray(value) ? value.length : 0);
  if (count(after.sts_fallback_endpoints) !== count(after.sts_fallback_regions))
    throw invalid("fallback endpoints and fallback regions must be the same length");
  if (switches.updates === "merge") checkRotation(fields, after, switches.edition);
}

/** "The root access key must be the only access key of the IAM user." */
function rotate(operation: CloudOperation): StubResponse {
  const { data, switches, randomness } = operation;
  const root = data.root.get("config");
  if (root === undefined || root.accessKey === "" || root.secretKey === "") {
    throw invalid("cannot rotate the root when either access_key or secret_key is empty");
  }
  if (switches.rootUserKeys > 1) {
    throw serverError("the IAM user of the root credentials has more than one access key");
  }
  const keys = newAccessKey(randomness);
  data.root.set("config", { ...root, ...keys });
  return answer(operation, { access_key: keys.accessKey });
}

/** The template that Vault and OpenBao's plugin store instead of an empty one. */
const DEFAULT_TEMPLATE =
  '{{ if (eq .Type "STS") }}{{ printf "vault-%s-%s"  (unix_time) (random 20) | truncate 32 }}{{ else }}{{ printf "vault-%s-%s-%s" (printf "%s-%s" (.DisplayName) (.PolicyName) | truncate 42) (unix_time) (random 20) | truncate 64 }}{{ end }}';

const list = (fields: Fields, name: string) => fields.list(name);

/** Fields of the releases that merge; a write that omits them leaves them unchanged. */
const FURTHER: FurtherFields = {
  sts_region: { kind: "writable", initially: "" },
  sts_fallback_endpoints: { kind: "writable", initially: null, parse: list },
  sts_fallback_regions: { kind: "writable", initially: null, parse: list },
  ...AUTOMATED_ROTATION,
};

const UNCONFIGURED: CloudRoot = {
  maxRetries: -1,
  accessKey: "",
  secretKey: "",
  region: "",
  iamEndpoint: "",
  stsEndpoint: "",
  usernameTemplate: "",
  roleArn: "",
  identityTokenAudience: "",
  identityTokenTtl: 0,
};
