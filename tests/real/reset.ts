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
  if (more.directory) restoreBindPassword(more.directory);
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
}

/** In the order of deletion: entries that other entries need are last. */
const KINDS_IN_DELETION_ORDER = [
  ...["http-route", "tcp-route", "api-gateway", "inline-certificate"],
  ...["ingress-gateway", "terminating-gateway", "service-router", "service-splitter", "service-resolver"],
  ...["service-intentions", "exported-services", "service-defaults", "proxy-defaults", "mesh"],
];

async function resetConsul({ address, token }: Server): Promise<void> {
  const headers = { "x-consul-token": token };
  for (const kind of KINDS_IN_DELETION_ORDER) {
    for (const { Name } of await list<{ Name?: string }>(`${address}/v1/config/${kind}`, headers))
      await sendRequest(`${address}/v1/config/${kind}/${Name ?? kind}`, { method: "DELETE", headers });
  }
}

async function list<Item>(url: string, headers: Record<string, string>): Promise<Item[]> {
  // Both endpoints return a list.
  return (await sendRequest(url, { headers })) as Item[];
}
