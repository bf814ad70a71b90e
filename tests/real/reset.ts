import { restoreBindPassword } from "./servers/directory";
import { ask, type Server, theServer } from "./servers/server";

/** The server without what an earlier story has left on it. */
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
    await ask(`${address}/v1/job/${encodeURIComponent(ID)}?purge=true`, { method: "DELETE", headers });
  // Their processes and mounts go with them.
  await ask(`${address}/v1/system/gc`, { method: "PUT", headers });
}

/** Where a directory is that nobody is borrowed from: its configuration leads nowhere. */
export const APART = "ldap-apart";

/** Where the stories have the engines. */
const MOUNTS = { msgq: "rabbitmq", ldap: "ldap", [APART]: "ldap" } as const;

async function resetBao({ address, token, more }: Server): Promise<void> {
  const headers = { "x-vault-token": token };
  const at = `${address}/v1`;
  for (const [mount, type] of Object.entries(MOUNTS)) {
    // A lease that its engine can no longer revoke, because a story took its configuration away, would hold the mount.
    await ask(`${at}/sys/leases/revoke-force/${mount}`, { method: "PUT", headers });
    await ask(`${at}/sys/mounts/${mount}`, { method: "DELETE", headers });
    await ask(`${at}/sys/mounts/${mount}`, { method: "POST", headers, body: { type } });
  }
  for (const kind of ["login-enforcement", "method/okta"]) {
    const found = await fetch(`${at}/identity/mfa/${kind}?list=true`, { headers });
    // An empty list is a 404.
    const { data } = (await found.json()) as { data?: { keys: string[] } };
    for (const key of (data?.keys ?? []).filter((one) => !(more.names ?? "").includes(one)))
      await ask(`${at}/identity/mfa/${kind}/${key}`, { method: "DELETE", headers });
  }
  if (more.directory) restoreBindPassword(more.directory);
}

async function resetOtfd({ address, token }: Server): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const at = `${address}/api/v2`;
  const { data } = (await ask(`${at}/organizations/acme/workspaces?page%5Bsize%5D=100`, { headers })) as {
    data: { id: string }[];
  };
  for (const { id } of data) await ask(`${at}/workspaces/${id}`, { method: "DELETE", headers });
}

/** Those that others need are last. */
const KINDS = [
  ...["http-route", "tcp-route", "api-gateway", "inline-certificate"],
  ...["ingress-gateway", "terminating-gateway", "service-router", "service-splitter", "service-resolver"],
  ...["service-intentions", "exported-services", "service-defaults", "proxy-defaults", "mesh"],
];

async function resetConsul({ address, token }: Server): Promise<void> {
  const headers = { "x-consul-token": token };
  for (const kind of KINDS) {
    for (const { Name } of await list<{ Name?: string }>(`${address}/v1/config/${kind}`, headers))
      await ask(`${address}/v1/config/${kind}/${Name ?? kind}`, { method: "DELETE", headers });
  }
}

async function list<Item>(url: string, headers: Record<string, string>): Promise<Item[]> {
  // Both answer a list.
  return (await ask(url, { headers })) as Item[];
}
