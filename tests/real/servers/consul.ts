import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "./cluster";
import { freePort, isAnswering, type Started, start } from "./program";
import { type Running, sendRequest, startServer, type Teardown } from "./server";

/** The initial management token of the servers. */
const TOKEN = "b4d0b3a6-41c8-47ff-9d8e-0a6f5b9e7c11";

/** Starts one server on loopback, with access control. */
export function startConsul(): Promise<Running> {
  return startServer(async (teardown) => {
    const address = await startAgent(teardown, "dc1", {});
    const version = execFileSync("consul", ["version"], { encoding: "utf8" }).split("\n")[0] ?? "";
    return { program: "consul", version, address, token: TOKEN, more: {} };
  });
}

/** Starts two datacenters with one server each. The second replicates the first. Returns a management token. */
export async function startDatacenters(
  teardown: Teardown,
): Promise<{ readonly primary: string; readonly copy: string; readonly token: string }> {
  const wan = await freePort();
  const federated = { primary_datacenter: "dc1" };
  const primary = await startAgent(teardown, "dc1", { ...federated, ports: { serf_wan: wan } });
  const secondary = await startAgent(teardown, "dc2", {
    ...federated,
    ports: { serf_wan: await freePort() },
    retry_join_wan: [`127.0.0.1:${wan}`],
    retry_interval_wan: "1s",
    acl: { enable_token_replication: true, tokens: { replication: TOKEN } },
  });
  const headers = { "x-consul-token": TOKEN };
  await until("the second datacenter copies the first", async () => {
    const status = (await sendRequest(`${secondary}/v1/acl/replication`, { headers })) as {
      ReplicatedTokenIndex: number;
    };
    return status.ReplicatedTokenIndex > 0;
  });
  return { primary, copy: secondary, token: TOKEN };
}

/** The settings that differ between the datacenters. */
interface Settings {
  readonly primary_datacenter?: string;
  readonly retry_join_wan?: readonly string[];
  readonly retry_interval_wan?: string;
  readonly ports?: object;
  readonly acl?: { readonly tokens: object; readonly enable_token_replication: boolean };
}

/** Starts the only server of a datacenter. Returns its address. */
async function startAgent(
  teardown: Teardown,
  datacenter: string,
  { ports: more, acl: access, ...rest }: Settings,
): Promise<string> {
  const folder = join(teardown.folder, datacenter);
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
    isReady: () => isAnswering(`${address}/v1/acl/token/self`, { "x-consul-token": TOKEN }),
  });
  teardown.add(() => agent.stop());
  return address;
}
