import { createReferencedObjects } from "./bao";
import { startBaoCluster } from "./baoCluster";
import type { Cluster } from "./cluster";
import { startDirectory } from "./directory";
import { startProxy } from "./front";
import { startNomadCluster } from "./nomadCluster";
import { type Program, type Server, setServer, Teardown } from "./server";

/**
 * A cluster, and a server at an address that always leads to the active member, as users without knowledge of the
 * cluster see it.
 */
export interface Clustered {
  readonly cluster: Cluster;
  readonly server: Server;
}

/** The programs that can run as clusters here. */
export const clusters: Readonly<Partial<Record<Program, Start>>> = { bao, nomad };

/**
 * The cluster for one file's tests. It starts before them, stops after them, and replaces the given server meanwhile.
 */
export function clusterOfTests(start: Start, single: Server): () => Clustered {
  const teardown = new Teardown();
  let clustered: Clustered | undefined;
  beforeAll(async () => {
    clustered = await start(teardown, single);
    setServer(clustered.server);
  });
  afterAll(async () => {
    setServer(single);
    await teardown.run();
  });
  return () => {
    if (clustered === undefined) throw new Error("no cluster was started");
    return clustered;
  };
}

type Start = (teardown: Teardown, single: Server) => Promise<Clustered>;

/** Starts a separate LDAP directory if the single server has one, and creates the objects that stories refer to. */
async function bao(teardown: Teardown, single: Server): Promise<Clustered> {
  const directory = single.more.directory === undefined ? undefined : await startDirectory(teardown);
  const { cluster, token, shares } = await startBaoCluster(teardown);
  const address = await startProxy(teardown, cluster);
  const names = await createReferencedObjects({ address, token });
  const { broker } = single.more;
  const more = {
    names: JSON.stringify(names),
    recoveryShares: shares.join(" "),
    ...(directory && { directory }),
    ...(broker && { broker }),
  };
  return { cluster, server: { ...single, address, token, more } };
}

async function nomad(teardown: Teardown, single: Server): Promise<Clustered> {
  const { cluster, token } = await startNomadCluster(teardown);
  return { cluster, server: { ...single, address: await startProxy(teardown, cluster), token } };
}
