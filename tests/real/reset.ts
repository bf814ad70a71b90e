import { until } from "./servers/cluster";
import { restoreBindPassword } from "./servers/directory";
import { type Server, sendRequest, theServer } from "./servers/server";

/** Deletes everything that an earlier story left on the server. */
export async function reset(): Promise<void> {
  const server = theServer();
  await RESETS[server.program](server);
}

const RESETS: Readonly<Record<Server["program"], (server: Server) => Promise<void>>> = {
  nomad: resetNomad,
  bao: resetBao,
  otfd: resetOtfd,
  consul: resetConsul,
};

async function resetNomad({ address, token }: Server): Promise<void> {
  const headers = { "x-nomad-token": token };
  const jobs = await list<{ ID: string }>(`${address}/v1/jobs`, headers);
  for (const { ID } of jobs)
    await sendRequest(`${address}/v1/job/${encodeURIComponent(ID)}?purge=true`, {
      method: "DELETE",
      headers,
    });
  const variables = await list<{ Path: string; Namespace: string }>(
    `${address}/v1/vars?namespace=*`,
    headers,
  );
  for (const { Path, Namespace } of variables)
    await sendRequest(`${address}/v1/var/${Path}?namespace=${Namespace}`, { method: "DELETE", headers });
  const volumes = await list<{ ID: string; Namespace: string }>(
    `${address}/v1/volumes?type=host&namespace=*`,
    headers,
  );
  for (const { ID, Namespace } of volumes)
    await sendRequest(`${address}/v1/volume/host/${ID}/delete?namespace=${Namespace}`, {
      method: "DELETE",
      headers,
    });
  for (const { ID } of await list<{ ID: string }>(`${address}/v1/acl/roles`, headers))
    await sendRequest(`${address}/v1/acl/role/${ID}`, { method: "DELETE", headers });
  const tokens = await list<{ AccessorID: string; Name: string }>(`${address}/v1/acl/tokens`, headers);
  for (const { AccessorID } of tokens.filter(({ Name }) => Name === "deploy"))
    await sendRequest(`${address}/v1/acl/token/${AccessorID}`, { method: "DELETE", headers });
  for (const [kind, collection, kept] of [
    ["namespace", "namespaces", ["default"]],
    ["node/pool", "node/pools", ["default", "all"]],
    ["acl/policy", "acl/policies", []],
  ] as const)
    for (const { Name } of await list<{ Name: string }>(`${address}/v1/${collection}`, headers))
      if (!kept.some((name) => name === Name))
        await sendRequest(`${address}/v1/${kind}/${Name}`, { method: "DELETE", headers });
  // This also removes the processes and mounts of the jobs.
  await sendRequest(`${address}/v1/system/gc`, { method: "PUT", headers });
}

/** The mount of an LDAP engine that no check-out uses. Its configuration has no reachable address. */
export const UNUSED_DIRECTORY = "ldap-apart";

/** The mounts of the stories' engines. */
const MOUNTS = { msgq: "rabbitmq", ldap: "ldap", [UNUSED_DIRECTORY]: "ldap" } as const;

async function resetBao({ address, token, more }: Server): Promise<void> {
  const headers = { "x-vault-token": token };
  const at = `${address}/v1`;
  for (const [mount, type] of Object.entries(MOUNTS)) {
    // An engine cannot revoke a lease after a story has deleted its configuration. The mount could then not be
    // removed.
    await sendRequest(`${at}/sys/leases/revoke-force/${mount}`, { method: "PUT", headers });
    await sendRequest(`${at}/sys/mounts/${mount}`, { method: "DELETE", headers });
    await sendRequest(`${at}/sys/mounts/${mount}`, { method: "POST", headers, body: { type } });
  }
  for (const table of ["mounts", "auth"]) {
    const found = await fetch(`${at}/sys/${table}`, { headers });
    const { data } = (await found.json()) as { data: Record<string, unknown> };
    for (const path of Object.keys(data).filter((one) => one.startsWith("teams/")))
      await sendRequest(`${at}/sys/${table}/${path}`, { method: "DELETE", headers });
  }
  for (const kind of ["login-enforcement", "method/okta"]) {
    const found = await fetch(`${at}/identity/mfa/${kind}?list=true`, { headers });
    // OpenBao answers an empty list with a 404.
    const { data } = (await found.json()) as { data?: { keys: string[] } };
    for (const key of (data?.keys ?? []).filter((one) => !(more.names ?? "").includes(one)))
      await sendRequest(`${at}/identity/mfa/${kind}/${key}`, { method: "DELETE", headers });
  }
  for (const kind of ["acl", "password"]) {
    const found = await fetch(`${at}/sys/policies/${kind}?list=true`, { headers });
    const { data } = (await found.json()) as { data?: { keys: string[] } };
    for (const key of (data?.keys ?? []).filter((one) => one !== "root" && one !== "default"))
      await sendRequest(`${at}/sys/policies/${kind}/${key}`, { method: "DELETE", headers });
  }
  await sendRequest(`${at}/sys/mounts/kv`, { method: "DELETE", headers });
  await sendRequest(`${at}/sys/mounts/kv`, {
    method: "POST",
    headers,
    body: { type: "kv", options: { version: "2" } },
  });
  await sendRequest(`${at}/sys/auth/approle`, { method: "DELETE", headers });
  await sendRequest(`${at}/sys/auth/approle`, { method: "POST", headers, body: { type: "approle" } });
  // The mount itself stays: login enforcements refer to its accessor.
  const users = await fetch(`${at}/auth/userpass/users?list=true`, { headers });
  const { data: names } = (await users.json()) as { data?: { keys: string[] } };
  for (const name of names?.keys ?? [])
    await sendRequest(`${at}/auth/userpass/users/${name}`, { method: "DELETE", headers });
  // The aliases go with their entities and groups. The subjects of other services refer to some of these.
  for (const kind of ["entity", "group"]) {
    const found = await fetch(`${at}/identity/${kind}/id?list=true`, { headers });
    const { data } = (await found.json()) as { data?: { keys: string[] } };
    for (const key of (data?.keys ?? []).filter((one) => !(more.names ?? "").includes(one)))
      await sendRequest(`${at}/identity/${kind}/id/${key}`, { method: "DELETE", headers });
  }
  await deleteNamespaces(at, headers, "");
  if (more.directory) restoreBindPassword(more.directory);
}

/**
 * Deletes the namespaces below a namespace, children first: OpenBao rejects the deletion of a namespace with children. It deletes
 * a namespace in the background, and the name is free only afterward.
 */
async function deleteNamespaces(
  at: string,
  headers: Readonly<Record<string, string>>,
  parent: string,
): Promise<void> {
  const own = { ...headers, "x-vault-namespace": parent };
  const namesBelow = async () => {
    const found = await fetch(`${at}/sys/namespaces?list=true`, { headers: own });
    const { data } = (await found.json()) as { data?: { keys: string[] } };
    return data?.keys ?? [];
  };
  const names = await namesBelow();
  for (const name of names) {
    await deleteNamespaces(at, headers, parent + name);
    await sendRequest(`${at}/sys/namespaces/${name}`, { method: "DELETE", headers: own });
  }
  if (names.length > 0)
    await until("the namespaces are deleted", async () => (await namesBelow()).length === 0);
}

async function resetOtfd({ address, token }: Server): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const at = `${address}/api/v2`;
  const { data } = (await sendRequest(`${at}/organizations/acme/workspaces?page%5Bsize%5D=100`, {
    headers,
  })) as {
    data: { id: string }[];
  };
  for (const { id } of data) await sendRequest(`${at}/workspaces/${id}`, { method: "DELETE", headers });
  for (const collection of ["agent-pools", "ssh-keys", "varsets", "oauth-clients"]) {
    const found = await fetch(`${at}/organizations/acme/${collection}`, { headers });
    // Both endpoints return a JSON:API list.
    const { data: objects } = (await found.json()) as { data: { id: string }[] };
    for (const { id } of objects)
      await sendRequest(`${at}/${collection}/${id}`, { method: "DELETE", headers });
  }
  const teams = (await sendRequest(`${at}/organizations/acme/teams`, { headers })) as {
    data: { id: string; attributes: { name: string } }[];
  };
  for (const { id, attributes } of teams.data)
    if (attributes.name !== "owners") await sendRequest(`${at}/teams/${id}`, { method: "DELETE", headers });
}

/** In the order of deletion: entries that other entries need are last. */
const KINDS_IN_DELETION_ORDER = [
  ...["http-route", "tcp-route", "api-gateway", "inline-certificate", "file-system-certificate"],
  ...["ingress-gateway", "terminating-gateway", "service-router", "service-splitter", "service-resolver"],
  ...[
    "service-intentions",
    "jwt-provider",
    "exported-services",
    "service-defaults",
    "proxy-defaults",
    "mesh",
  ],
];

async function resetConsul({ address, token }: Server): Promise<void> {
  const headers = { "x-consul-token": token };
  const tokens = await list<{ AccessorID: string; SecretID: string }>(`${address}/v1/acl/tokens`, headers);
  for (const { AccessorID, SecretID } of tokens)
    if (SecretID !== token && SecretID !== "anonymous")
      await sendRequest(`${address}/v1/acl/token/${AccessorID}`, { method: "DELETE", headers });
  await sendRequest(`${address}/v1/kv/?recurse=true`, { method: "DELETE", headers });
  for (const { ID } of await list<{ ID: string }>(`${address}/v1/acl/roles`, headers))
    await sendRequest(`${address}/v1/acl/role/${ID}`, { method: "DELETE", headers });
  for (const { ID } of await list<{ ID: string }>(`${address}/v1/acl/policies`, headers))
    if (!ID.startsWith("00000000-0000-0000-0000-"))
      await sendRequest(`${address}/v1/acl/policy/${ID}`, { method: "DELETE", headers });
  for (const kind of KINDS_IN_DELETION_ORDER) {
    for (const { Name } of await list<{ Name?: string }>(`${address}/v1/config/${kind}`, headers))
      await sendRequest(`${address}/v1/config/${kind}/${Name ?? kind}`, { method: "DELETE", headers });
  }
}

async function list<Item>(url: string, headers: Record<string, string>): Promise<Item[]> {
  // Both endpoints return a list.
  return (await sendRequest(url, { headers })) as Item[];
}
