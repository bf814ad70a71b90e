import { type HttpResponse, type Issued, isObject, type Json, type Login } from "../../core";

/** Logins to Vault and OpenBao, at the path of an auth method (docs/wire.md, "Logins"). */
export const login: Login = {
  tells: ({ json }) => tokenFrom(isObject(json) ? json.auth : undefined),
  lacks: ({ json }) => mfaIn(isObject(json) && isObject(json.auth) ? json.auth.mfa_requirement : undefined),
  renewal: { method: "POST", path: "/auth/token/renew-self", body: {} },
  revocation: { method: "POST", path: "/auth/token/revoke-self", body: {} },
  // A lease ends with the token that requested it. A wrapped response ends with that token, too.
  handsOut: ({ json }: HttpResponse) =>
    isObject(json) && (isText(json.lease_id) || (isObject(json.wrap_info) && isText(json.wrap_info.token))),
};

const isText = (value: Json | undefined) => typeof value === "string" && value !== "";

/**
 * If an MFA enforcement covers the login, the response contains its requirement instead of a token (docs/wire.md, "Logins").
 */
function mfaIn(requirement: Json | undefined): ReturnType<NonNullable<Login["lacks"]>> {
  if (!isObject(requirement)) return undefined;
  const constraints = Object.values(isObject(requirement.mfa_constraints) ? requirement.mfa_constraints : {});
  const types = constraints
    .flatMap((each) => (isObject(each) && Array.isArray(each.any) ? each.any : []))
    .flatMap((method) => (isObject(method) && typeof method.type === "string" ? [method.type] : []));
  const named = types.length === 0 ? "" : ` (${[...new Set(types)].join(", ")})`;
  return {
    why: `requires multi-factor authentication${named}, which needs a person`,
    advice:
      "Use an auth method for machines (AppRole, JWT, Kubernetes or TLS certificates), exempt this login from the MFA enforcement, " +
      "or use a token from `bao login` or `vault login`.",
  };
}

function tokenFrom(auth: Json | undefined): Issued | undefined {
  if (!isObject(auth)) return undefined;
  const { client_token: token, lease_duration: seconds, renewable } = auth;
  if (typeof token !== "string" || token === "") return undefined;
  // 0 means a token without an end.
  const lasts = typeof seconds === "number" && seconds > 0 ? { seconds } : {};
  return { token, ...lasts, isRenewable: renewable === true };
}
