import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "./cluster";
import { agentOf } from "./nomad";
import { answers, freePort, start } from "./program";
import { ask, type Begun } from "./server";

/** The token that the regions are bootstrapped with; it may be chosen, and every region takes it from the first. */
const TOKEN = "c2d7a7f4-8b1c-4a53-9a36-0f8d5e0f6b17";

/** Two regions of one server each, of which the first decides on tokens; no clients, so that nothing ever runs. */
export async function startRegions(
  begun: Begun,
  [first, second]: readonly [string, string],
): Promise<{ readonly addresses: readonly [string, string]; readonly token: string }> {
  const home = await startRegion(begun, first, `authoritative_region = "${first}"`);
  await ask(`${home.address}/v1/acl/bootstrap`, { method: "POST", body: { BootstrapSecret: TOKEN } });
  const away = await startRegion(
    begun,
    second,
    `authoritative_region = "${first}"
      server_join {
        retry_join = ["127.0.0.1:${home.serf}"]
        retry_interval = "1s"
      }`,
    `replication_token = "${TOKEN}"`,
  );
  const headers = { "x-nomad-token": TOKEN };
  await until("each region takes the token, and passes on to the other", async () => {
    for (const { address } of [home, away])
      for (const region of [first, second]) await ask(`${address}/v1/jobs?region=${region}`, { headers });
    return true;
  });
  return { addresses: [home.address, away.address], token: TOKEN };
}

async function startRegion(begun: Begun, region: string, ofServer: string, ofAccess = "") {
  const folder = join(begun.folder, region);
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
      (await answers(`${address}/v1/status/leader`)) && (await ask(`${address}/v1/status/leader`, {})) !== "",
  });
  begun.add(() => agent.stop());
  return { address, serf: ports.serf };
}
