import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, start } from "./program";
import type { Begun } from "./server";

/** Who the engine binds as, and the directory's own administrator, who can put the former right again. */
export const BIND = { dn: "cn=admin,dc=example", password: "hush" } as const;
const OWNER = { dn: "cn=root,dc=example", password: "root-secret" } as const;

/** The accounts that the stories borrow, rotate and name. */
const ACCOUNTS = ["svc", "svc-db", "svc-1", "svc-2", "svc-9"];

/** An OpenLDAP server on loopback; its address as a URL. */
export async function startDirectory(begun: Begun): Promise<string> {
  const port = await freePort();
  const url = `ldap://127.0.0.1:${port}`;
  const folder = join(begun.folder, "directory");
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
      execFileSync("ldapwhoami", ["-x", "-H", url, "-D", OWNER.dn, "-w", OWNER.password], {
        stdio: "ignore",
      });
      return true;
    },
  });
  begun.add(() => slapd.stop());
  return url;
}

/** Gives whom the engine binds as its first password again, which a rotation has changed. */
export function restoreBindPassword(url: string): void {
  const who = ["-D", OWNER.dn, "-w", OWNER.password];
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
rootdn "${OWNER.dn}"
rootpw ${OWNER.password}
directory ${folder}/data
`;
}
