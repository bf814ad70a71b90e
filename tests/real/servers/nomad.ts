import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "./cluster";
import { freePort, isAnswering, start } from "./program";
import { type Running, sendRequest, startServer } from "./server";

/** The bootstrap token of the server. It is valid as long as the server runs. */
const TOKEN = "6a1c6b48-7f0e-4ab4-9d2f-1c51a3d14b0e";

/** Starts one agent on loopback that is server and client, with access control. Its jobs run as plain processes. */
export function startNomad(): Promise<Running> {
  return startServer(async (teardown) => {
    const [http, rpc, serf] = [await freePort(), await freePort(), await freePort()];
    const address = `http://127.0.0.1:${http}`;
    const config = join(teardown.folder, "agent.hcl");
    writeFileSync(config, configuration(join(teardown.folder, "data"), { http, rpc, serf }));
    const agent = await start({
      program: "nomad",
      args: ["agent", "-config", config],
      folder: teardown.folder,
      isReady: () => hasLeader(address),
    });
    teardown.add(() => agent.stop());
    await sendRequest(`${address}/v1/acl/bootstrap`, { method: "POST", body: { BootstrapSecret: TOKEN } });
    teardown.add(() => stopJobs(address, teardown.folder));
    await until("the agent's own node takes jobs", () => hasNode(address));
    const version = execFileSync("nomad", ["version"], { encoding: "utf8" }).split("\n")[0] ?? "";
    return { program: "nomad", version, address, token: TOKEN, more: {} };
  });
}

/**
 * Stops all jobs and removes their mounts. An agent leaves the processes and mounts of its jobs behind when it ends.
 */
async function stopJobs(address: string, folder: string): Promise<void> {
  const headers = { "x-nomad-token": TOKEN };
  // Both endpoints return lists of such objects.
  const list = async <Item>(path: string) => (await sendRequest(address + path, { headers })) as Item[];
  for (const { ID } of await list<{ ID: string }>("/v1/jobs?namespace=*"))
    await sendRequest(`${address}/v1/job/${encodeURIComponent(ID)}`, { method: "DELETE", headers });
  for (let tries = 0; tries < 100; tries++) {
    const allocations = await list<{ ClientStatus: string }>("/v1/allocations?namespace=*");
    // The folder of a pending allocation will still be mounted.
    if (!allocations.some(({ ClientStatus }) => ["pending", "running"].includes(ClientStatus))) break;
    await delay(100);
  }
  await sendRequest(`${address}/v1/system/gc`, { method: "PUT", headers });
  for (let tries = 0; tries < 100 && readFileSync("/proc/mounts", "utf8").includes(folder); tries++)
    await delay(100);
}

async function hasLeader(address: string): Promise<boolean> {
  if (!(await isAnswering(`${address}/v1/status/leader`))) return false;
  const leader = await sendRequest(`${address}/v1/status/leader`, {});
  return typeof leader === "string" && leader !== "";
}

interface Node {
  readonly Status: string;
  readonly SchedulingEligibility: string;
  readonly Drivers: Readonly<Record<string, { readonly Healthy: boolean } | undefined>>;
}

/**
 * Whether a node can run jobs. A client that registers before a leader is elected retries many seconds later. Until
 * then a plan cannot place any allocation, and prints nothing for a system job.
 */
async function hasNode(address: string): Promise<boolean> {
  const headers = { "x-nomad-token": TOKEN };
  // The endpoint returns a list of such objects.
  const nodes = (await sendRequest(`${address}/v1/nodes`, { headers })) as Node[];
  return nodes.some(
    ({ Status, SchedulingEligibility, Drivers }) =>
      Status === "ready" && SchedulingEligibility === "eligible" && Drivers.raw_exec?.Healthy === true,
  );
}

/** The configuration of every agent in these tests: its data folder, and only loopback addresses. */
export function agentOf(folder: string, ports: Readonly<Record<string, number>>): string {
  return `
    data_dir = "${folder}"
    bind_addr = "127.0.0.1"
    disable_update_check = true
    leave_on_terminate = false
    ports {
      http = ${ports.http}
      rpc = ${ports.rpc}
      serf = ${ports.serf}
    }
    advertise {
      http = "127.0.0.1:${ports.http}"
      rpc = "127.0.0.1:${ports.rpc}"
      serf = "127.0.0.1:${ports.serf}"
    }
  `;
}

function configuration(folder: string, ports: { http: number; rpc: number; serf: number }): string {
  return `
    ${agentOf(folder, ports)}
    server {
      enabled = true
      bootstrap_expect = 1
    }
    client {
      enabled = true
      network_interface = "lo"
      servers = ["127.0.0.1:${ports.rpc}"]
      options = {
        "driver.allowlist" = "raw_exec"
        "fingerprint.denylist" = "env_aws,env_gce,env_azure,env_digitalocean,consul,vault,cni"
      }
    }
    plugin "raw_exec" {
      config {
        enabled = true
      }
    }
    acl {
      enabled = true
    }
  `;
}
