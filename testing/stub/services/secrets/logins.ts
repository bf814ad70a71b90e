import type { IssuedToken, IssuedTokens, TakenLogin } from "../../logins";
import type { StubRequest, StubResponse } from "../../service";
import { JSON_TYPE, permissionError, Refusal } from "./errors";
import type { Token } from "./settings";

/** A login at the path of an auth method. */
export interface SecretsLogin extends TakenLogin<Token> {
  readonly path: string;
}

type Issued = IssuedTokens<Token, SecretsLogin>;

/** Responds to logins and to a token's requests about itself, as Vault does; undefined for any other request. */
export function answerOfLogin(
  request: StubRequest,
  path: string,
  secret: string,
  issued: Issued,
): StubResponse | undefined {
  if (request.method !== "POST" && request.method !== "PUT") return undefined;
  if (/^auth\/(?!token\/).*\/?login(\/|$)/.test(path)) {
    const found = issued.issue(request.json(), request.now, (login) => login.path === path);
    if (found === undefined) throw new Refusal(400, ["invalid role or secret ID"]);
    return authOf(found, request.now);
  }
  if (path === "auth/token/renew-self") {
    const found = issued.renew(secret, request.now);
    if (found === undefined) throw permissionError();
    return authOf(found, request.now);
  }
  if (path !== "auth/token/revoke-self") return undefined;
  if (!issued.revoke(secret)) throw permissionError();
  return { status: 204 };
}

function authOf({ secret, end, token }: IssuedToken<Token>, now: number): StubResponse {
  const auth = {
    client_token: secret,
    policies: token.policies,
    lease_duration: end === undefined ? 0 : Math.max(0, Math.round((end - now) / 1000)),
    renewable: end !== undefined,
    token_type: "service",
  };
  return { status: 200, headers: JSON_TYPE, body: { lease_id: "", data: null, auth } };
}
