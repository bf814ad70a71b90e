import { randomBytes } from "node:crypto";
import { RECOVERY } from "./bao";
import { Cluster, type Kind, SERVERS } from "./cluster";
import { isAnswering } from "./program";
import { sendRequest, type Teardown } from "./server";

/** A server's response about the active server. */
interface Leader {
  readonly leader_address?: string;
}

/** The response to the initialization: the root token, and the shares of the recovery key. */
export interface Initialized {
  readonly token: string;
  readonly shares: readonly string[];
}

/** Starts three OpenBao servers with a common storage. All of them answer reads. */
export async function startBaoCluster(
  teardown: Teardown,
): Promise<Initialized & { readonly cluster: Cluster }> {
  const cluster = await Cluster.start(teardown, kind());
  const [first] = cluster.members;
  if (first === undefined) throw new Error("a cluster has members");
  // The endpoint returns the root token, and the shares in base64.
  const { root_token: token, recovery_keys_base64: shares } = (await sendRequest(
    `${first.address}/v1/sys/init`,
    {
      method: "PUT",
      body: RECOVERY,
    },
  )) as { root_token: string; recovery_keys_base64: string[] };
  await cluster.makeComplete(token);
  return { cluster, token, shares };
}

function kind(): Kind {
  const key = randomBytes(16).toString("hex");
  return {
    program: "bao",
    ports: ["cluster"],
    args: (config) => ["server", "-config", config],
    configuration: ({ name, folder, address, ports }, all) => `
      storage "raft" {
        path = "${folder}/data"
        node_id = "${name}"
        # A request without an active server waits one second, not five.
        performance_multiplier = 1
        ${all
          .filter((other) => other.name !== name)
          .map((other) => `retry_join { leader_api_addr = "${other.address}" }`)
          .join("\n        ")}
      }
      disable_mlock = true
      api_addr = "${address}"
      cluster_addr = "https://127.0.0.1:${ports.cluster}"
      listener "tcp" {
        address = "127.0.0.1:${ports.http}"
        cluster_address = "127.0.0.1:${ports.cluster}"
        tls_disable = true
        # The specification's rekey is disabled by default.
        disable_unauthed_rekey_endpoints = false
      }
      # Auto-unseal with a static key.
      seal "static" {
        current_key_id = "one"
        current_key = "${key}"
      }
    `,
    isUp: (address) => isAnswering(`${address}/v1/sys/seal-status`),
    active: async (address) => {
      const { leader_address = "" } = (await sendRequest(`${address}/v1/sys/leader`, {})) as Leader;
      return leader_address === "" ? undefined : leader_address;
    },
    idOf: ({ address }) => address,
    isComplete: async (address, token) => {
      const { data } = (await sendRequest(`${address}/v1/sys/storage/raft/configuration`, {
        headers: { "x-vault-token": token },
      })) as { data: { config: { servers: { voter: boolean }[] } } };
      return data.config.servers.filter(({ voter }) => voter).length === SERVERS;
    },
  };
}
