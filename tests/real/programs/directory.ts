import { secrets } from "../../../sdk";
import { BIND } from "../servers/directory";

/** From an empty server to an LDAP account whose password the server rotates: engine, policy, configuration and role. */
export function directory({ directory: url = "" }: Readonly<Record<string, string>>) {
  const { path: mount } = new secrets.Mount("directory", { path: "teams/directory", type: "ldap" });

  const strong = new secrets.PasswordPolicy("strong", {
    name: "strong",
    policy: 'length = 20\nrule "charset" {\n  charset = "abcdefghijklmnopqrstuvwxyz0123456789"\n}\n',
  });

  const configuration = new secrets.DirectoryConfig("directory", {
    mount,
    url,
    binddn: BIND.dn,
    bindpass: BIND.password,
    passwordPolicy: strong.name,
  });

  const role = new secrets.DirectoryStaticRole(
    "reports",
    { mount, roleName: "reports", username: "svc", dn: "cn=svc,dc=example", rotationPeriod: "24h" },
    { dependsOn: [configuration] },
  );

  new secrets.DirectoryRoleRotation("reports", { mount, roleName: role.roleName, triggers: ["first"] });
  return { mount, role: role.roleName };
}
