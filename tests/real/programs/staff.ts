import { secrets } from "../../../sdk";

/** From an empty server to a login that asks for a second factor: auth method, user, MFA method and enforcement. */
export function staff() {
  const logins = new secrets.AuthMethod("staff", { path: "teams/staff", type: "userpass" });

  const user = new secrets.UserpassUser("ahab", {
    authMount: logins.path,
    username: "ahab",
    password: "thar she blows",
    tokenTtl: "1h",
  });

  const { methodId } = new secrets.MfaMethod("okta", {
    methodName: "staff-okta",
    orgName: "pequod",
    apiToken: "secret",
  });

  new secrets.LoginEnforcement("staff", {
    name: "staff",
    mfaMethodIds: [methodId],
    authMethodAccessors: [logins.accessor],
  });
  return { mount: logins.path, username: user.username, methodId };
}
