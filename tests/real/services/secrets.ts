import { RealService, runtime } from "../realService";
import { BIND } from "../servers/directory";
import { theServer } from "../servers/server";

/** The mounts of the stories. Everything else has the name of the real product. */
const MOUNTS = { queueMount: "msgq", cloudMount: "cloud", directoryMount: "ldap" };

/** A real OpenBao server in place of the stub. */
export class SecretsService extends RealService {
  readonly name = "secrets";
  readonly reached = { settings: { dialect: "real", ...MOUNTS }, runtime };
  protected override readonly translation = {
    headers: { "x-secrets-token": "x-vault-token" },
    tokens: { root: theServer().token },
    paths: { "/v1/identity/mfa/method/extidp": "/v1/identity/mfa/method/okta" },
    body: withRunningDirectory,
  };
}

/** Other users in the stories configure an LDAP directory that does not exist. This refers them to the running one. */
function withRunningDirectory(path: string, body: string): string {
  if (path !== "/v1/ldap/config" || !body.includes("bindpass")) return body;
  // The stories write an object.
  const written = JSON.parse(body) as object;
  return JSON.stringify({ ...written, ...directoryConfig() });
}

/** The engine's configuration for the running LDAP directory. */
export function directoryConfig(): { [member: string]: string } {
  return {
    url: theServer().more.directory ?? "",
    binddn: BIND.dn,
    bindpass: BIND.password,
    userdn: "dc=example",
    userattr: "cn",
    schema: "openldap",
  };
}
