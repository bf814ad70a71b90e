import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { METHODS } from "../../steps/subjects/secrets";
import { startBroker } from "./broker";
import { startDirectory } from "./directory";
import { isOnPath } from "./onPath";
import { freePort, isAnswering, start } from "./program";
import { type Running, type Server, sendRequest, startServer, type Teardown } from "./server";

/** The shares of the recovery key at the start. */
export const RECOVERY = { recovery_shares: 3, recovery_threshold: 2 };

/** Starts OpenBao, with an LDAP directory and RabbitMQ if their programs are installed. */
export function startBao(): Promise<Running> {
  return startServer(async (teardown) => {
    const directory = isOnPath("slapd") ? await startDirectory(teardown) : undefined;
    const broker = isOnPath("/usr/lib/rabbitmq/bin/rabbitmq-server")
      ? await startBroker(teardown)
      : undefined;
    const server = await startOnlyBao(teardown);
    const names = await createReferencedObjects(server);
    return {
      ...server,
      more: {
        ...server.more,
        names: JSON.stringify(names),
        ...(directory && { directory }),
        ...(broker && { broker }),
      },
    };
  });
}

/** Starts only OpenBao. A test that changes the recovery key needs a separate server. */
export function startBareBao(): Promise<Running> {
  return startServer(startOnlyBao);
}

async function startOnlyBao(teardown: Teardown): Promise<Server> {
  const address = `http://127.0.0.1:${await freePort()}`;
  const config = join(teardown.folder, "server.hcl");
  writeFileSync(config, configuration(address));
  const bao = await start({
    program: "bao",
    args: ["server", "-config", config],
    folder: teardown.folder,
    // An uninitialized server answers 501.
    isReady: () => isAnswering(`${address}/v1/sys/seal-status`),
  });
  teardown.add(() => bao.stop());
  // The endpoint returns the shares in base64, and the root token.
  const { root_token, recovery_keys_base64 } = (await sendRequest(`${address}/v1/sys/init`, {
    method: "PUT",
    body: RECOVERY,
  })) as { root_token: string; recovery_keys_base64: string[] };
  await waitUntilUnsealed(address);
  const version = execFileSync("bao", ["version"], { encoding: "utf8" }).split("\n")[0] ?? "";
  return {
    program: "bao",
    version,
    address,
    token: root_token,
    more: {
      recoveryShares: recovery_keys_base64.join(" "),
      firstShare: recovery_keys_base64[0] ?? "",
      secondShare: recovery_keys_base64[1] ?? "",
    },
  };
}

/**
 * Creates the objects that login enforcements refer to: two methods, two auth mounts, groups and entities. Returns
 * their IDs by the names that the stories use. They exist as long as the server, because programs contain their IDs.
 */
export async function createReferencedObjects({
  address,
  token,
}: Pick<Server, "address" | "token">): Promise<Record<string, string>> {
  const send = async (method: string, path: string, body?: object) =>
    // Each endpoint returns its object in an envelope.
    (await sendRequest(`${address}/v1/${path}`, { method, headers: { "x-vault-token": token }, body })) as {
      data: { id: string; method_id: string; [mount: string]: unknown };
    };
  const names: Record<string, string> = {};
  for (const [index, method_name] of ["first", "second"].entries()) {
    const method = { method_name, org_name: "acme", api_token: "t" };
    names[METHODS[index] ?? ""] = (await send("POST", "identity/mfa/method/okta", method)).data.method_id;
  }
  for (const type of ["userpass", "ldap"]) await send("POST", `sys/auth/${type}`, { type });
  const { data: mounts } = await send("GET", "sys/auth");
  for (const [index, type] of ["userpass", "ldap"].entries())
    names[`auth_${type}_${index + 1}`] = (mounts[`${type}/`] as { accessor: string }).accessor;
  for (const name of ["entity-1", "entity-2", "entity-9"])
    names[name] = (await send("POST", "identity/entity", { name })).data.id;
  for (const name of ["group-1", "group-2"])
    names[name] = (await send("POST", "identity/group", { name })).data.id;
  return names;
}

async function waitUntilUnsealed(address: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const { status } = await fetch(`${address}/v1/sys/health`, { signal: AbortSignal.timeout(5000) });
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the server did not unseal itself");
}

/** Uses a static seal key. OpenBao has recovery keys only with auto-unseal. */
function configuration(address: string): string {
  return `
    storage "inmem" {}
    disable_mlock = true
    api_addr = "${address}"
    listener "tcp" {
      address = "${address.replace("http://", "")}"
      tls_disable = true
      # The specification's rekey is disabled by default.
      disable_unauthed_rekey_endpoints = false
    }
    seal "static" {
      current_key_id = "one"
      current_key = "${randomBytes(16).toString("hex")}"
    }
  `;
}
