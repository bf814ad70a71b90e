import { makeWhatIsNamed } from "./bao";
import { startBaoCluster } from "./baoCluster";
import type { Cluster } from "./cluster";
import { startDirectory } from "./directory";
import { startFront } from "./front";
import { startNomadCluster } from "./nomadCluster";
import { Begun, type Program, type Server, tell } from "./server";

/** A cluster, and the same as people have it who know of none: a server at an address that leads to the active one. */
export interface Clustered {
  readonly cluster: Cluster;
  readonly server: Server;
}

/** Programs whose servers form clusters here. */
export const clusters: Readonly<Partial<Record<Program, Start>>> = { bao, nomad };

/** The cluster of this file's tests: begun before them, ended after them, and what everybody takes for the server meanwhile. */
export function clusterOfTests(start: Start, single: Server): () => Clustered {
  const begun = new Begun();
  let clustered: Clustered | undefined;
  beforeAll(async () => {
    clustered = await start(begun, single);
    tell(clustered.server);
  });
  afterAll(async () => {
    tell(single);
    await begun.end();
  });
  return () => {
    if (clustered === undefined) throw new Error("no cluster was begun");
    return clustered;
  };
}

type Start = (begun: Begun, single: Server) => Promise<Clustered>;

/** With a directory of its own where the single server has one, and with what stories name. */
async function bao(begun: Begun, single: Server): Promise<Clustered> {
  const directory = single.more.directory === undefined ? undefined : await startDirectory(begun);
  const { cluster, token, shares } = await startBaoCluster(begun);
  const address = await startFront(begun, cluster);
  const names = await makeWhatIsNamed({ address, token });
  const { broker } = single.more;
  const more = {
    names: JSON.stringify(names),
    recoveryShares: shares.join(" "),
    ...(directory && { directory }),
    ...(broker && { broker }),
  };
  return { cluster, server: { ...single, address, token, more } };
}

async function nomad(begun: Begun, single: Server): Promise<Clustered> {
  const { cluster, token } = await startNomadCluster(begun);
  return { cluster, server: { ...single, address: await startFront(begun, cluster), token } };
}
