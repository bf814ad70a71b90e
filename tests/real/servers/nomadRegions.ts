import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "./cluster";
import { agentOf } from "./nomad";
import { freePort, isAnswering, start } from "./program";
import { sendRequest, type Teardown } from "./server";

/** The bootstrap token of the first region, which the second region replicates. */
const TOKEN = "c2d7a7f4-8b1c-4a53-9a36-0f8d5e0f6b17";

/** Starts two regions with one server each. The first is the authoritative region. Without clients, no job runs. */
export async function startRegions(
  teardown: Teardown,
  [first, second]: readonly [string, string],
): Promise<{ readonly addresses: readonly [string, string]; readonly token: string }> {
  const primary = await startRegion(teardown, first, `authoritative_region = "${first}"`);
  await sendRequest(`${primary.address}/v1/acl/bootstrap`, {
    method: "POST",
    body: { BootstrapSecret: TOKEN },
  });
  const secondary = await startRegion(
    teardown,
    second,
    `authoritative_region = "${first}"
      server_join {
        retry_join = ["127.0.0.1:${primary.serf}"]
        retry_interval = "1s"
      }`,
    `replication_token = "${TOKEN}"`,
  );
  const headers = { "x-nomad-token": TOKEN };
  await until("each region takes the token, and passes on to the other", async () => {
    for (const { address } of [primary, secondary])
      for (const region of [first, second])
        await sendRequest(`${address}/v1/jobs?region=${region}`, { headers });
    return true;
  });
  return { addresses: [primary.address, secondary.address], token: TOKEN };
}

async function startRegion(teardown: Teardown, region: string, ofServer: string, ofAccess = "") {
  const folder = join(teardown.folder, region);
  mkdirSync(folder);
  const ports = { http: await freePort(), rpc: await freePort(), serf: await freePort() };
  const address = `http://127.0.0.1:${ports.http}`;
  const config = join(folder, "agent.hcl");
  writeFileSync(
    config,
    `
    name = "${region}"
    region = "${region}"
    ${agentOf(join(folder, "data"), ports)}
    server {
      enabled = true
      bootstrap_expect = 1
      ${ofServer}
    }
    acl {
      enabled = true
      ${ofAccess}
    }
  `,
  );
  const agent = await start({
    program: "nomad",
    args: ["agent", "-config", config],
    folder,
    isReady: async () =>
      (await isAnswering(`${address}/v1/status/leader`)) &&
      (await sendRequest(`${address}/v1/status/leader`, {})) !== "",
  });
  teardown.add(() => agent.stop());
  return { address, serf: ports.serf };
}
