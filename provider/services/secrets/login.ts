import type { HttpAnswer } from "../../core/http/request";
import type { Issued, Login } from "../../core/language/login";
import { isObject, type Json } from "../../core/value/json";

/** How the secrets service logs in: by an auth method of its own, at whose path (docs/wire.md, "Logins"). */
export const login: Login = {
  tells: ({ json }) => issuedIn(isObject(json) ? json.auth : undefined),
  renewal: { method: "POST", path: "/auth/token/renew-self", body: {} },
  revocation: { method: "POST", path: "/auth/token/revoke-self", body: {} },
  // A lease ends with the token that asked for it.
  handsOut: ({ json }: HttpAnswer) =>
    isObject(json) && typeof json.lease_id === "string" && json.lease_id !== "",
};

function issuedIn(auth: Json | undefined): Issued | undefined {
  if (!isObject(auth)) return undefined;
  const { client_token: token, lease_duration: seconds, renewable } = auth;
  if (typeof token !== "string" || token === "") return undefined;
  // 0 is a token without an end.
  const lasts = typeof seconds === "number" && seconds > 0 ? { seconds } : {};
  return { token, ...lasts, isRenewable: renewable === true };
}
