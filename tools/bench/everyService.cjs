// Resources of every service and of many kinds, and how many of each the services must hold of them.
const quarterdeck = require("pulumi-quarterdeck");

const { workspaces, scheduler, secrets, mesh } = quarterdeck;

/** Of each kind its share, and how one is made; `all` are those that were made of other kinds, by their number. */
const kinds = {
  workspace: [
    0.12,
    (n) => new workspaces.Workspace(`workspace-${n}`, { name: `workspace-${n}`, tagNames: ["load"] }),
  ],
  retention: [
    0.04,
    (n, all) =>
      new workspaces.DataRetentionPolicy(`retention-${n}`, {
        workspaceId: all.workspace[n].id,
        deleteOlderThanDays: 30,
      }),
  ],
  lock: [
    0.04,
    (n, all) =>
      new workspaces.WorkspaceLock(`lock-${n}`, { workspaceId: all.workspace[n].id, reason: "load" }),
  ],
  job: [
    0.15,
    (n) =>
      new scheduler.Job(`job-${n}`, {
        json: {
          ID: `job-${n}`,
          TaskGroups: [{ Name: "main", Tasks: [{ Name: "server", Driver: "docker" }] }],
        },
        purge: true,
      }),
  ],
  queueRole: [0.1, (n) => new secrets.QueueRole(`queue-${n}`, { name: `queue-${n}`, tags: "monitoring" })],
  cloudRole: [
    0.05,
    (n) =>
      new secrets.CloudRole(`cloud-${n}`, {
        name: `cloud-${n}`,
        credentialType: "iam_user",
        policyArns: ["arn:aws:iam::aws:policy/ReadOnlyAccess"],
      }),
  ],
  librarySet: [
    0.05,
    (n) =>
      new secrets.LibrarySet(`library-${n}`, { name: `library-${n}`, serviceAccountNames: [`svc-${n}`] }),
  ],
  method: [
    0.1,
    (n) =>
      new secrets.MfaMethod(`method-${n}`, {
        methodName: `method-${n}`,
        orgName: "acme",
        apiToken: `token-${n}`,
      }),
  ],
  enforcement: [
    0.05,
    (n, all) =>
      new secrets.LoginEnforcement(`enforcement-${n}`, {
        name: `enforcement-${n}`,
        mfaMethodIds: [all.method[n].id],
        authMethodTypes: ["userpass"],
      }),
  ],
  entry: [
    0.1,
    (n) =>
      new mesh.ConfigEntry(`entry-${n}`, {
        kind: "service-defaults",
        name: `entry-${n}`,
        spec: { Protocol: "http" },
      }),
  ],
  resolver: [0.1, (n) => new mesh.ServiceResolver(`resolver-${n}`, { name: `resolver-${n}`, spec: {} })],
  intentions: [
    0.1,
    (n) =>
      new mesh.ServiceIntentions(`intentions-${n}`, {
        name: `intentions-${n}`,
        spec: { sources: [{ name: "web", action: "allow" }] },
      }),
  ],
};

/** A program of about so many resources, and how many of each kind that makes. */
exports.everyService = (count) => {
  const made = Object.fromEntries(
    Object.entries(kinds).map(([name, [share]]) => [name, Math.round(count * share)]),
  );
  const program = async () => {
    const all = {};
    for (const [name, [, make]] of Object.entries(kinds))
      all[name] = Array.from({ length: made[name] }, (_, n) => make(n, all));
  };
  return { made, program };
};

/** What services hold of each kind, counted in what they dump: by their own IDs, so that one made twice counts twice. */
exports.heldIn = (dumps) => {
  const root = dumps.secrets.namespaces[""];
  const data = (mount) => root.mounts[mount].data;
  const size = (many) => Object.keys(many ?? {}).length;
  const spaces = Object.values(dumps.workspaces.workspaces);
  const entries = Object.entries(dumps.mesh.dc1.entries).map(([key]) => key);
  const entriesOf = (kind) => entries.filter((key) => key.includes(kind)).length;
  return {
    workspace: spaces.length,
    retention: spaces.filter(({ retention }) => retention != null).length,
    lock: spaces.filter(({ lock }) => lock != null).length,
    job: size(dumps.scheduler.global.jobs),
    queueRole: size(data("rabbitmq").roles),
    cloudRole: size(data("aws").roles),
    librarySet: size(data("ldap").sets),
    method: size(root.methods),
    enforcement: size(root.enforcements),
    entry: entriesOf("service-defaults"),
    resolver: entriesOf("service-resolver"),
    intentions: entriesOf("service-intentions"),
  };
};
