import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "../../../sdk";
import { INITIAL_SHARES } from "../../../testing/stub/services/secrets/rekey/records";
import { CERTIFICATE, PRIVATE_KEY } from "../../../testing/tests/stub/mesh-certificate";
import type { Ask } from "../console";

const { mesh, scheduler, secrets, workspaces } = quarterdeck;

/** Leases outlive every test that reads a recorded state. */
const TEN_YEARS = "87600h";
const LDIF = {
  creationLdif: "dn: cn={{.Username}},dc=example\nobjectClass: person\n",
  deletionLdif: "dn: cn={{.Username}},dc=example\nchangetype: delete\n",
};
const WEB = { TaskGroups: [{ Name: "front", Count: 1, Tasks: [{ Name: "server", Driver: "docker" }] }] };
const parents = [{ name: "front", sectionName: "web" }];

const TEXT = `variable "token" {}
job "text" {
  group "front" {
    task "server" {
      driver = "docker"
      env { TOKEN = var.token }
    }
  }
}
`;

/** Creates the objects that the programs adopt. */
export async function makeFound(ask: Ask): Promise<void> {
  const data = { type: "workspaces", attributes: { name: "found", "auto-apply": true } };
  const made = await ask("workspaces", "POST", "/api/v2/organizations/acme/workspaces", { data });
  const lock = `/api/v2/workspaces/${made.body.data.id}/actions/lock`;
  await ask("workspaces", "POST", lock, { reason: "theirs" });
  await ask("scheduler", "POST", "/v1/jobs", { Job: { ID: "found", Priority: 60, ...WEB } });
  await ask("secrets", "POST", "/v1/rabbitmq/roles/found", { tags: "monitoring" });
  await ask("mesh", "PUT", "/v1/config", { Kind: "service-defaults", Name: "found", Protocol: "http" });
}

/** A program. `edited` changes the properties that can be updated in place. */
export type Story = (edited?: boolean) => pulumi.automation.PulumiFn;

/** Workspaces and their sub-resources. */
const ofWorkspaces: Story = (edited) => async () => {
  const description = edited ? "second" : "first";
  const network = new workspaces.Workspace("network", {
    name: "network",
    description,
    executionMode: "remote",
    tagNames: ["platform", "network"],
    tagBindings: { environment: description },
    sshKeyId: "sshkey-deploy",
    vcsRepo: { identifier: "acme/app", oauthTokenId: "ot-code", branch: "main" },
  });
  const shop = new workspaces.Workspace("shop", { name: "shop", description: pulumi.secret(description) });
  const found = new workspaces.Workspace("found", { name: "found", description, adopt: true });
  new workspaces.Workspace("named", { name: "named", description, connection: "second" });
  new workspaces.RegistryProvider("registry", { registryName: "private", name: "app" });
  const { workspaceId } = shop;
  new workspaces.RemoteStateConsumers("readers", {
    workspaceId: network.workspaceId,
    consumerIds: edited ? [] : [workspaceId],
  });
  new workspaces.WorkspaceSshKey("key", { workspaceId, sshKeyId: "sshkey-modules" });
  new workspaces.DataRetentionPolicy("retention", { workspaceId, deleteOlderThanDays: edited ? 90 : 30 });
  new workspaces.WorkspaceLock("lock", { workspaceId, reason: "upgrade" });
  new workspaces.WorkspaceForceUnlock("unlock", { workspaceId: found.workspaceId, triggers: ["once"] });
};

/** Jobs in each input form. */
const ofScheduler: Story = (edited) => async () => {
  const Priority = edited ? 70 : 50;
  const more = { purge: true };
  new scheduler.Job("object", { json: { ID: "object", Priority, ...WEB }, ...more });
  new scheduler.Job("json", { json: JSON.stringify({ Job: { ID: "json", Priority, ...WEB } }), ...more });
  new scheduler.Job("typed", {
    spec: {
      id: "typed",
      priority: Priority,
      secretsToken: "a token of the secrets service",
      taskGroups: [
        { name: "front", tasks: [{ name: "server", driver: "docker", killTimeout: "5s" }] },
        { name: "back", count: 2, tasks: [{ name: "worker", driver: "exec", env: { LEVEL: "info" } }] },
      ],
    },
    ...more,
  });
  new scheduler.Job("text", {
    hcl: edited ? TEXT.replace('"docker"', '"exec"') : TEXT,
    variables: { token: pulumi.secret("hush") },
    ...more,
  });
  new scheduler.Job("found", { json: { ID: "found", Priority, ...WEB }, adopt: true, ...more });
  new scheduler.Job("named", { json: { ID: "named", Priority, ...WEB }, connection: "second", ...more });
  new scheduler.Job("secret", {
    json: { ID: "secret", Priority, Meta: { key: pulumi.secret("hush") }, ...WEB },
    ...more,
  });
};

/** Engines, MFA methods, write-only resources, actions and completed procedures. */
const ofSecrets: Story = (edited) => async () => {
  const queue = new secrets.QueueConnection("queue", {
    connectionUri: "http://broker:15672",
    username: "admin",
    password: edited ? "hush hush" : "hush",
  });
  const role = new secrets.QueueRole(
    "queue",
    { name: "app", tags: edited ? "management" : "monitoring", vhosts: { "/": { read: ".*" } } },
    { dependsOn: queue },
  );
  new secrets.QueueRole("found", {
    name: "found",
    tags: edited ? "management" : "monitoring",
    adopt: true,
  });
  new secrets.QueueRole("named", { name: "named", tags: "monitoring", connection: "second" });
  new secrets.QueueRole("secret", { name: "secret", tags: pulumi.secret("monitoring") });
  new secrets.QueueLease("queue", { ttl: edited ? "2h" : "1h", maxTtl: "24h" });
  const staff = new secrets.MfaMethod("staff", {
    methodName: "staff",
    orgName: edited ? "acme-eu" : "acme",
    apiToken: "hush",
  });
  new secrets.LoginEnforcement("everybody", {
    name: "everybody",
    mfaMethodIds: [staff.methodId],
    authMethodTypes: edited ? ["ldap"] : ["userpass"],
  });
  const cloud = new secrets.CloudRoot("cloud", {
    accessKey: "AKIA",
    secretKey: "hush",
    region: "eu-west-1",
  });
  new secrets.CloudLease("cloud", { lease: "30m", leaseMax: edited ? "48h" : "24h" });
  const user = new secrets.CloudRole(
    "cloud",
    {
      name: "deploy",
      credentialType: "iam_user",
      policyArns: ["arn:aws:iam::aws:policy/x"],
      iamTags: { team: edited ? "shop" : "web" },
    },
    { dependsOn: cloud },
  );
  new secrets.CloudStaticRole(
    "cloud",
    { name: "app", username: "svc-app", rotationPeriod: edited ? "12h" : "24h" },
    { dependsOn: cloud },
  );
  new secrets.CloudRootRotation("cloud", { triggers: ["once"] }, { dependsOn: user });
  const directory = new secrets.DirectoryConfig("directory", {
    binddn: "cn=admin",
    bindpass: "hush",
    url: "ldaps://one.example",
    connectionTimeout: edited ? "40s" : "30s",
  });
  const after = { dependsOn: directory };
  const reader = new secrets.DirectoryRole(
    "reader",
    { roleName: "reader", ...LDIF, maxTtl: edited ? "48h" : "24h" },
    after,
  );
  const fixed = new secrets.DirectoryStaticRole(
    "db",
    { roleName: "db", username: "svc-db", rotationPeriod: edited ? "2h" : "1h" },
    after,
  );
  const rotated = new secrets.DirectoryRoleRotation("db", { roleName: fixed.roleName, triggers: ["once"] });
  new secrets.DirectoryRootRotation("directory", { triggers: ["once"] }, { dependsOn: rotated });
  const set = new secrets.LibrarySet(
    "ops",
    {
      name: "ops",
      serviceAccountNames: edited ? ["svc-1", "svc-2", "svc-3"] : ["svc-1", "svc-2"],
      ttl: TEN_YEARS,
      maxTtl: TEN_YEARS,
    },
    after,
  );
  new secrets.LibraryCheckOut("ops", { setName: set.name, ttl: TEN_YEARS });
  const rekey = new secrets.RecoveryKeyRekey("rekey", {
    secretShares: 3,
    secretThreshold: 2,
    shares: INITIAL_SHARES.slice(0, 2),
  });
  const verified = new secrets.RecoveryKeyVerification("rekey", {
    rekeyNonce: rekey.nonce,
    shares: rekey.keysBase64.apply((keys) => keys ?? []),
  });
  new secrets.RecoveryBackupDeletion("backup", { triggers: ["once"] }, { dependsOn: verified });
  new secrets.QueueCredentials("queue", { name: role.name });
  new secrets.CloudCredentials("cloud", { name: user.name });
  new secrets.DirectoryCredentials("reader", { roleName: reader.roleName });
};

/** An entry of every kind. */
const ofMesh: Story = (edited) => async () => {
  const meta = { team: edited ? "b" : "a" };
  const http = new mesh.ServiceDefaults("web", { name: "web", spec: { protocol: "http", meta } });
  const api = new mesh.ServiceDefaults("api", { name: "api", spec: { protocol: "http" } });
  const after = { dependsOn: [http, api] };
  new mesh.ConfigEntry("entry", {
    kind: "service-defaults",
    name: "entry",
    spec: { Protocol: "tcp", MaxInboundConnections: edited ? 20 : 10 },
  });
  const found = { Protocol: "http", ExternalSNI: edited ? "b.example" : "a.example" };
  new mesh.ConfigEntry("found", { kind: "service-defaults", name: "found", spec: found, adopt: true });
  new mesh.ServiceDefaults("named", { name: "named", connection: "second", spec: { meta } });
  new mesh.ServiceDefaults("secret", { name: "secret", spec: { meta: { key: pulumi.secret("hush") } } });
  new mesh.ServiceIntentions(
    "web",
    {
      name: "web",
      spec: {
        sources: [
          { name: "a", action: "allow" },
          { name: "*", action: "deny" },
        ],
        meta,
      },
    },
    after,
  );
  new mesh.ServiceResolver("web", { name: "web", spec: { connectTimeout: "15s", meta } }, after);
  new mesh.ServiceRouter(
    "web",
    {
      name: "web",
      spec: {
        routes: [{ match: { http: { pathPrefix: "/a" } }, destination: { service: "web", numRetries: 2 } }],
        meta,
      },
    },
    after,
  );
  new mesh.ServiceSplitter(
    "web",
    { name: "web", spec: { splits: [{ weight: 33.333 }, { weight: 66.667, service: "api" }], meta } },
    after,
  );
  new mesh.IngressGateway(
    "edge",
    {
      name: "edge",
      spec: {
        listeners: [
          { port: 8080, protocol: "http", services: [{ name: "web", hosts: ["web.example.com"] }] },
        ],
        meta,
      },
    },
    after,
  );
  new mesh.TerminatingGateway("exit", {
    name: "exit",
    spec: { services: [{ name: "legacy", caFile: "/ca.pem", sni: "legacy.example.com" }], meta },
  });
  const front = new mesh.ApiGateway("front", {
    name: "front",
    spec: { listeners: [{ name: "web", port: 8080, protocol: "http" }], meta },
  });
  const behind = { dependsOn: front };
  new mesh.HttpRoute(
    "route",
    { name: "route", spec: { parents, hostnames: ["web.example.com"], meta } },
    behind,
  );
  new mesh.TcpRoute("tcp", { name: "tcp", spec: { parents, services: [{ name: "db" }], meta } }, behind);
  new mesh.InlineCertificate("tls", {
    name: "tls",
    spec: { certificate: CERTIFICATE, privateKey: PRIVATE_KEY, meta },
  });
  new mesh.ExportedServices("exported", {
    name: "default",
    spec: { services: [{ name: "web", consumers: [{ peer: "east" }] }], meta },
  });
  new mesh.ProxyDefaults("proxies", {
    spec: { config: { protocol: "http", Mode: "mine" }, meshGateway: { mode: "local" }, meta },
  });
  new mesh.Mesh("mesh", { spec: { tls: { incoming: { tlsMinVersion: "TLSv1_2" } }, meta } });
};

/** Two programs whose states are complete. */
export function wholeStories(): Readonly<Record<string, Story>> {
  return {
    "workspaces-scheduler": both(ofWorkspaces, ofScheduler),
    "secrets-mesh": both(ofSecrets, ofMesh),
  };
}

function both(one: Story, other: Story): Story {
  return (edited) => async () => {
    await one(edited)();
    await other(edited)();
  };
}
