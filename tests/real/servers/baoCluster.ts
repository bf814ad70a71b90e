import { randomBytes } from "node:crypto";
import { RECOVERY } from "./bao";
import { Cluster, type Kind, SERVERS } from "./cluster";
import { answers } from "./program";
import { ask, type Begun } from "./server";

/** What a server says of the active one. */
interface Leader {
  readonly leader_address?: string;
}

/** What was answered as it began: the first token, and the recovery key's shares. */
export interface Initialised {
  readonly token: string;
  readonly shares: readonly string[];
}

/** Three secrets services with one storage among them, of which all answer reads. */
export async function startBaoCluster(begun: Begun): Promise<Initialised & { readonly cluster: Cluster }> {
  const cluster = await Cluster.start(begun, kind());
  const [first] = cluster.members;
  if (first === undefined) throw new Error("a cluster has members");
  // Shape of the endpoint: the first token, and shares in base64.
  const { root_token: token, recovery_keys_base64: shares } = (await ask(`${first.address}/v1/sys/init`, {
    method: "PUT",
    body: RECOVERY,
  })) as { root_token: string; recovery_keys_base64: string[] };
  await cluster.whole(token);
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
        # Who misses the active server waits a second for it, and not five.
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
        # The specification's rekey is off unless it is asked for.
        disable_unauthed_rekey_endpoints = false
      }
      # Unsealed by a key of its own.
      seal "static" {
        current_key_id = "one"
        current_key = "${key}"
      }
    `,
    isUp: (address) => answers(`${address}/v1/sys/seal-status`),
    active: async (address) => {
      const { leader_address = "" } = (await ask(`${address}/v1/sys/leader`, {})) as Leader;
      return leader_address === "" ? undefined : leader_address;
    },
    called: ({ address }) => address,
    isWell: async (address, token) => {
      const { data } = (await ask(`${address}/v1/sys/storage/raft/configuration`, {
        headers: { "x-vault-token": token },
      })) as { data: { config: { servers: { voter: boolean }[] } } };
      return data.config.servers.filter(({ voter }) => voter).length === SERVERS;
    },
  };
}
