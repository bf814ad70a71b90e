import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "./cluster";
import { answers, freePort, type Started, start } from "./program";
import { ask, type Begun, begin, type Running } from "./server";

/** The token that the servers are configured with. */
const TOKEN = "b4d0b3a6-41c8-47ff-9d8e-0a6f5b9e7c11";

/** One server on loopback with access control. */
export function startConsul(): Promise<Running> {
  return begin(async (begun) => {
    const address = await startAgent(begun, "dc1", {});
    const version = execFileSync("consul", ["version"], { encoding: "utf8" }).split("\n")[0] ?? "";
    return { program: "consul", version, address, token: TOKEN, more: {} };
  });
}

/** Two datacenters of one server each, of which the second copies the first, with a token that may do everything. */
export async function startDatacenters(
  begun: Begun,
): Promise<{ readonly primary: string; readonly copy: string; readonly token: string }> {
  const wan = await freePort();
  const federated = { primary_datacenter: "dc1" };
  const primary = await startAgent(begun, "dc1", { ...federated, ports: { serf_wan: wan } });
  const copy = await startAgent(begun, "dc2", {
    ...federated,
    ports: { serf_wan: await freePort() },
    retry_join_wan: [`127.0.0.1:${wan}`],
    retry_interval_wan: "1s",
    acl: { enable_token_replication: true, tokens: { replication: TOKEN } },
  });
  const headers = { "x-consul-token": TOKEN };
  await until("the second datacenter copies the first", async () => {
    const said = (await ask(`${copy}/v1/acl/replication`, { headers })) as { ReplicatedTokenIndex: number };
    return said.ReplicatedTokenIndex > 0;
  });
  return { primary, copy, token: TOKEN };
}

/** What a datacenter's configuration says beside what each says. */
interface Settings {
  readonly primary_datacenter?: string;
  readonly retry_join_wan?: readonly string[];
  readonly retry_interval_wan?: string;
  readonly ports?: object;
  readonly acl?: { readonly tokens: object; readonly enable_token_replication: boolean };
}

/** Starts a server that is alone in its datacenter, and tells where it answers. */
async function startAgent(
  begun: Begun,
  datacenter: string,
  { ports: more, acl: access, ...rest }: Settings,
): Promise<string> {
  const folder = join(begun.folder, datacenter);
  mkdirSync(folder);
  const [http, server, serfLan] = [await freePort(), await freePort(), await freePort()];
  const address = `http://127.0.0.1:${http}`;
  const config = join(folder, "agent.json");
  writeFileSync(
    config,
    JSON.stringify({
      node_name: datacenter,
      datacenter,
      server: true,
      bootstrap: true,
      bind_addr: "127.0.0.1",
      client_addr: "127.0.0.1",
      data_dir: join(folder, "data"),
      disable_update_check: true,
      ports: { http, server, serf_lan: serfLan, grpc: -1, grpc_tls: -1, dns: -1, serf_wan: -1, ...more },
      connect: { enabled: true },
      acl: {
        enabled: true,
        default_policy: "deny",
        ...access,
        tokens: { initial_management: TOKEN, ...access?.tokens },
      },
      ...rest,
    }),
  );
  const agent: Started = await start({
    program: "consul",
    args: ["agent", "-config-file", config],
    folder,
    isReady: () => answers(`${address}/v1/acl/token/self`, { "x-consul-token": TOKEN }),
  });
  begun.add(() => agent.stop());
  return address;
}
