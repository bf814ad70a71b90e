import * as quarterdeck from "../../../sdk";
import { INITIAL_SHARES } from "../../../testing/stub/services/secrets/rekey/records";
import type { Ask } from "../console";

type Values = Readonly<Record<string, unknown>>;

/** A resource, with the programs during which a process is killed. */
export interface Case {
  readonly token: string;
  /** The capability's name in the documentation. */
  readonly capability: string;
  make(inputs: Values): void;
  readonly first: Values;
  /** An edit of the program, unless the resource cannot be updated. */
  readonly second?: Values;
  /** Creates the objects that must exist before. */
  prepare?(ask: Ask): Promise<void>;
}

const CHECKED = "the service checks writes";
const LOOKED = "a look before each write";
const UNSEEN = "written and never shown";
const DONE = "an action";
const PROCEDURE = "a procedure";

const job = (Count: number) => ({
  ID: "web",
  TaskGroups: [{ Name: "front", Count, Tasks: [{ Name: "server", Driver: "docker" }] }],
});
const entry = (MaxInboundConnections: number) => ({
  kind: "service-defaults",
  name: "web",
  spec: { Protocol: "http", MaxInboundConnections },
});
const broker = { connectionUri: "http://broker:15672", username: "admin", verifyConnection: false };
const directory = async (ask: Ask) =>
  void (await ask("secrets", "POST", "/v1/ldap/config", { binddn: "cn=admin", bindpass: "hush" }));

/** One resource of each capability, or two if one does not represent all. */
export const cases: readonly Case[] = [
  {
    token: "scheduler:Job",
    capability: CHECKED,
    make: (inputs) => void new quarterdeck.scheduler.Job("it", inputs as never),
    first: { json: job(2), purge: true },
    second: { json: job(3), purge: true },
  },
  {
    token: "mesh:ConfigEntry",
    capability: CHECKED,
    make: (inputs) => void new quarterdeck.mesh.ConfigEntry("it", inputs as never),
    first: entry(10),
    second: entry(20),
  },
  {
    token: "workspaces:Workspace",
    capability: LOOKED,
    make: (inputs) => void new quarterdeck.workspaces.Workspace("it", inputs as never),
    first: { name: "app", description: "first", tagNames: ["one"] },
    second: { name: "app", description: "second", tagNames: ["one", "two"] },
  },
  {
    token: "secrets:QueueRole",
    capability: LOOKED,
    make: (inputs) => void new quarterdeck.secrets.QueueRole("it", inputs as never),
    first: { name: "app", tags: "monitoring" },
    second: { name: "app", tags: "management" },
  },
  {
    token: "secrets:QueueConnection",
    capability: UNSEEN,
    make: (inputs) => void new quarterdeck.secrets.QueueConnection("it", inputs as never),
    first: { ...broker, password: "hush" },
    second: { ...broker, password: "hush hush" },
  },
  {
    token: "secrets:CloudRootRotation",
    capability: DONE,
    make: (inputs) => void new quarterdeck.secrets.CloudRootRotation("it", inputs as never),
    first: { triggers: ["first"] },
    second: { triggers: ["second"] },
    prepare: async (ask) =>
      void (await ask("secrets", "POST", "/v1/aws/config/root", {
        access_key: "AKIA",
        secret_key: "hush",
      })),
  },
  {
    token: "secrets:DirectoryRoleRotation",
    capability: DONE,
    make: (inputs) => void new quarterdeck.secrets.DirectoryRoleRotation("it", inputs as never),
    first: { roleName: "db", triggers: ["first"] },
    second: { roleName: "db", triggers: ["second"] },
    async prepare(ask) {
      await directory(ask);
      await ask("secrets", "POST", "/v1/ldap/static-role/db", { username: "svc", rotation_period: "1h" });
    },
  },
  {
    token: "secrets:RecoveryKeyRekey",
    capability: PROCEDURE,
    make: (inputs) => void new quarterdeck.secrets.RecoveryKeyRekey("it", inputs as never),
    first: { secretShares: 3, secretThreshold: 2, shares: INITIAL_SHARES.slice(0, 2) },
  },
  {
    token: "secrets:LibraryCheckOut",
    capability: PROCEDURE,
    make: (inputs) => void new quarterdeck.secrets.LibraryCheckOut("it", inputs as never),
    first: { setName: "ops" },
    async prepare(ask) {
      await directory(ask);
      await ask("secrets", "POST", "/v1/ldap/library/ops", {
        service_account_names: ["svc-1", "svc-2"],
        ttl: 3600,
      });
    },
  },
];
