import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { answers, freePort, start } from "./program";
import { begin, type Running } from "./server";

/** The token that the server is configured with. */
const TOKEN = "b4d0b3a6-41c8-47ff-9d8e-0a6f5b9e7c11";

/** One server on loopback with access control. */
export function startConsul(): Promise<Running> {
  return begin(async (begun) => {
    const ports = {
      http: await freePort(),
      server: await freePort(),
      serf_lan: await freePort(),
      grpc: -1,
      dns: -1,
      serf_wan: -1,
    };
    const address = `http://127.0.0.1:${ports.http}`;
    const config = join(begun.folder, "agent.json");
    writeFileSync(
      config,
      JSON.stringify({
        server: true,
        bootstrap: true,
        bind_addr: "127.0.0.1",
        client_addr: "127.0.0.1",
        data_dir: join(begun.folder, "data"),
        disable_update_check: true,
        ports,
        connect: { enabled: true },
        acl: { enabled: true, default_policy: "deny", tokens: { initial_management: TOKEN } },
      }),
    );
    const agent = await start({
      program: "consul",
      args: ["agent", "-config-file", config],
      folder: begun.folder,
      isReady: () => answers(`${address}/v1/acl/token/self`, { "x-consul-token": TOKEN }),
    });
    begun.add(() => agent.stop());
    const version = execFileSync("consul", ["version"], { encoding: "utf8" }).split("\n")[0] ?? "";
    return { program: "consul", version, address, token: TOKEN, more: {} };
  });
}
