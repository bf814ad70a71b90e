import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, start } from "./program";
import type { Teardown } from "./server";

/** The bind account of the engine, and the directory's administrator, who can restore its password. */
export const BIND = { dn: "cn=admin,dc=example", password: "hush" } as const;
const ADMINISTRATOR = { dn: "cn=root,dc=example", password: "root-secret" } as const;

/** The accounts that the stories check out, rotate and refer to. */
const ACCOUNTS = ["svc", "svc-db", "svc-1", "svc-2", "svc-9"];

/** Starts an OpenLDAP server on loopback. Returns its URL. */
export async function startDirectory(teardown: Teardown): Promise<string> {
  const port = await freePort();
  const url = `ldap://127.0.0.1:${port}`;
  const folder = join(teardown.folder, "directory");
  mkdirSync(join(folder, "data"), { recursive: true });
  const config = join(folder, "slapd.conf");
  writeFileSync(config, configuration(folder));
  const entries = join(folder, "entries.ldif");
  writeFileSync(entries, [TOP, admin(), ...ACCOUNTS.map(account)].join("\n"));
  execFileSync("slapadd", ["-f", config, "-l", entries], { stdio: "ignore" });
  const slapd = await start({
    program: "slapd",
    args: ["-f", config, "-h", url, "-d", "0"],
    folder,
    isReady: async () => {
      execFileSync("ldapwhoami", ["-x", "-H", url, "-D", ADMINISTRATOR.dn, "-w", ADMINISTRATOR.password], {
        stdio: "ignore",
      });
      return true;
    },
  });
  teardown.add(() => slapd.stop());
  return url;
}

/** Restores the first password of the bind account after a rotation. */
export function restoreBindPassword(url: string): void {
  const who = ["-D", ADMINISTRATOR.dn, "-w", ADMINISTRATOR.password];
  execFileSync("ldappasswd", ["-x", "-H", url, ...who, "-s", BIND.password, BIND.dn], { stdio: "ignore" });
}

const TOP = `dn: dc=example
objectClass: dcObject
objectClass: organization
dc: example
o: example
`;

function admin(): string {
  return `dn: ${BIND.dn}
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: admin
userPassword: ${BIND.password}
`;
}

function account(name: string): string {
  return `dn: cn=${name},dc=example
objectClass: person
cn: ${name}
sn: ${name}
userPassword: first
`;
}

function configuration(folder: string): string {
  return `include /etc/ldap/schema/core.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile ${folder}/slapd.pid
argsfile ${folder}/slapd.args
access to * by dn.exact="${BIND.dn}" write by anonymous auth by self read
database mdb
suffix "dc=example"
rootdn "${ADMINISTRATOR.dn}"
rootpw ${ADMINISTRATOR.password}
directory ${folder}/data
`;
}
