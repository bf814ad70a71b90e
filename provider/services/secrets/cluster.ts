import { type Cluster, isObject } from "../../core";

/**
 * Clusters of Vault and OpenBao. Standbys answer reads themselves (performance standbys, and standbys that read), possibly
 * with data from before the latest write. Editions that support it return their state in a header.
 */
export const cluster: Cluster = {
  state: {
    name: "x-vault-index",
    beside: { "x-vault-inconsistent": "forward-active-node" },
    latest: latestStates,
  },
  active: {
    path: "/sys/leader",
    tells: ({ json }) => {
      const said = isObject(json) ? json : {};
      const { ha_enabled, is_self, leader_address } = said;
      const isAddress = typeof leader_address === "string" && leader_address !== "";
      return {
        isClustered: ha_enabled === true,
        isSelf: is_self === true,
        address: isAddress ? leader_address : undefined,
      };
    },
  },
};

/** A state: the cluster's ID, its own index, and the index of the cluster that it replicates. */
interface State {
  readonly cluster: string;
  readonly local: bigint;
  readonly replicated: bigint;
}

/** The latest states of each cluster. Returns both of two states if neither includes the other. */
function latestStates(known: readonly string[], answered: string): readonly string[] {
  const next = stateIn(answered);
  // A state in another format replaces the known ones, because it cannot be compared.
  if (next === undefined) return [answered];
  const earlier = known.flatMap((text) => {
    const state = stateIn(text);
    return state === undefined ? [] : [{ text, state }];
  });
  if (earlier.some(({ state }) => includes(state, next))) return earlier.map(({ text }) => text);
  return [...earlier.filter(({ state }) => !includes(next, state)).map(({ text }) => text), answered];
}

function includes(state: State, other: State): boolean {
  return (
    state.cluster === other.cluster && state.local >= other.local && state.replicated >= other.replicated
  );
}

/** `v1:cluster:local:replicated:signature` in base64. */
function stateIn(text: string): State | undefined {
  const [version, cluster = "", local = "", replicated = ""] = Buffer.from(text, "base64")
    .toString("utf8")
    .split(":");
  const isIndex = (one: string) => /^\d+$/.test(one);
  if (version !== "v1" || !isIndex(local) || !isIndex(replicated)) return undefined;
  return { cluster, local: BigInt(local), replicated: BigInt(replicated) };
}
