import { RealService, runtime } from "../realService";
import { BIND } from "../servers/directory";
import { theServer } from "../servers/server";

/** The mounts stay where the stories have them; all else goes by the real product's names. */
const MOUNTS = { queueMount: "msgq", cloudMount: "cloud", directoryMount: "ldap" };

/** A real secrets service in the stub's place. */
export class SecretsService extends RealService {
  readonly name = "secrets";
  readonly reached = { settings: { dialect: "real", ...MOUNTS }, runtime };
  protected override readonly translation = {
    headers: { "x-secrets-token": "x-vault-token" },
    tokens: { root: theServer().token },
    paths: { "/v1/identity/mfa/method/extidp": "/v1/identity/mfa/method/okta" },
    body: ofTheDirectory,
  };
}

/** The stories' people configure a directory that exists nowhere; here they mean the one that runs. */
function ofTheDirectory(path: string, body: string): string {
  if (path !== "/v1/ldap/config" || !body.includes("bindpass")) return body;
  // What the stories write is an object.
  const told = JSON.parse(body) as object;
  return JSON.stringify({ ...told, ...directoryConfig() });
}

/** How the engine reaches the directory that runs. */
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
