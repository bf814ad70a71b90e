import { Cluster, type Kind, SERVERS, until } from "./cluster";
import { agentOf } from "./nomad";
import { isAnswering } from "./program";
import { sendRequest, type Teardown } from "./server";

/** The bootstrap token of the cluster. */
const TOKEN = "3f1c8a52-1e5a-4a4f-8f3e-5a7d0a7c2b90";

interface Autopilot {
  readonly Healthy: boolean;
  readonly Voters: readonly string[];
}

/** The region of the cluster. */
export const REGION = "north";

/** Starts three Nomad servers of one region. Without clients, no registered job runs. */
export async function startNomadCluster(teardown: Teardown): Promise<{ cluster: Cluster; token: string }> {
  const cluster = await Cluster.start(teardown, KIND);
  const [first] = cluster.members;
  if (first === undefined) throw new Error("a cluster has members");
  await until("a leader is chosen", async () => (await KIND.active(first.address)) !== undefined);
  await sendRequest(`${first.address}/v1/acl/bootstrap`, {
    method: "POST",
    body: { BootstrapSecret: TOKEN },
  });
  await cluster.makeComplete(TOKEN);
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
      # A restarted server can vote immediately.
      server_stabilization_time = "1s"
    }
    acl {
      enabled = true
    }
  `,
  // The API waits for a leader. None can be elected before the other servers have started.
  isUp: (address) => isAnswering(`${address}/robots.txt`),
  active: async (address) => {
    const leader = (await sendRequest(`${address}/v1/status/leader`, {})) as string;
    return leader === "" ? undefined : leader;
  },
  idOf: ({ ports }) => `127.0.0.1:${ports.rpc}`,
  isComplete: async (address, token) => {
    const { Healthy, Voters } = (await sendRequest(`${address}/v1/operator/autopilot/health`, {
      headers: { "x-nomad-token": token },
    })) as Autopilot;
    return Healthy && Voters.length === SERVERS;
  },
};
