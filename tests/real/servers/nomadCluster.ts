import { Cluster, type Kind, SERVERS, until } from "./cluster";
import { agentOf } from "./nomad";
import { answers } from "./program";
import { ask, type Begun } from "./server";

/** The token that the cluster is bootstrapped with; it may be chosen. */
const TOKEN = "3f1c8a52-1e5a-4a4f-8f3e-5a7d0a7c2b90";

interface Autopilot {
  readonly Healthy: boolean;
  readonly Voters: readonly string[];
}

/** The region that they are. */
export const REGION = "north";

/** Three schedulers that are one region; no clients, so that nothing that is registered is ever run. */
export async function startNomadCluster(begun: Begun): Promise<{ cluster: Cluster; token: string }> {
  const cluster = await Cluster.start(begun, KIND);
  const [first] = cluster.members;
  if (first === undefined) throw new Error("a cluster has members");
  await until("a leader is chosen", async () => (await KIND.active(first.address)) !== undefined);
  await ask(`${first.address}/v1/acl/bootstrap`, { method: "POST", body: { BootstrapSecret: TOKEN } });
  await cluster.whole(TOKEN);
  return { cluster, token: TOKEN };
}

const KIND: Kind = {
  program: "nomad",
  ports: ["rpc", "serf"],
  args: (config) => ["agent", "-config", config],
  configuration: ({ name, folder, ports }, all) => `
    name = "${name}"
    region = "${REGION}"
    ${agentOf(`${folder}/data`, ports)}
    server {
      enabled = true
      bootstrap_expect = ${all.length}
      server_join {
        retry_join = [${all
          .filter((other) => other.name !== name)
          .map((other) => `"127.0.0.1:${other.ports.serf}"`)
          .join(", ")}]
        retry_interval = "1s"
      }
    }
    autopilot {
      # Who is back is one that chooses at once.
      server_stabilization_time = "1s"
    }
    acl {
      enabled = true
    }
  `,
  // Its API waits for a leader, which there is none of before the others have started.
  isUp: (address) => answers(`${address}/robots.txt`),
  active: async (address) => {
    const leader = (await ask(`${address}/v1/status/leader`, {})) as string;
    return leader === "" ? undefined : leader;
  },
  called: ({ ports }) => `127.0.0.1:${ports.rpc}`,
  isWell: async (address, token) => {
    const { Healthy, Voters } = (await ask(`${address}/v1/operator/autopilot/health`, {
      headers: { "x-nomad-token": token },
    })) as Autopilot;
    return Healthy && Voters.length === SERVERS;
  },
};
