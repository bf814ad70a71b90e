import { type Cluster, isObject } from "../../core";

/**
 * The clusters of the real product: standbys answer reads by themselves (performance standbys, and standbys that read),
 * perhaps from before the latest write. The editions that can say so name the state in a header.
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

/** What a state says: of which cluster, and how far it and the cluster that it is a replica of had come. */
interface State {
  readonly cluster: string;
  readonly local: bigint;
  readonly replicated: bigint;
}

/** Each cluster's latest states; of two of which neither has all that the other has, both. */
function latestStates(known: readonly string[], answered: string): readonly string[] {
  const next = stateIn(answered);
  // A state of another form says nothing but itself.
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
