import { serverError } from "./errors";
import type { Switches } from "./settings";
import { Datacenter } from "./world";

type Places = ReadonlyMap<string, Datacenter>;
type Federation = Pick<Switches, "primaryDatacenter" | "copiedAfterMilliseconds">;

/** The first index of a datacenter that replicates another; each datacenter counts its own indexes. */
const COPYS_FIRST_INDEX = 1001;

/** All datacenters: their current state, their state before the latest write, and changes not yet replicated. */
export class Datacenters {
  #all: Places = new Map();
  /** The state before the latest write, for stale reads. */
  #before: Places = new Map();
  /** States of the primary datacenter, with the time from which the other datacenters show them. */
  #underWay: readonly { readonly from: number; readonly primary: Datacenter }[] = [];

  /** The time of the next replication; infinity if none is pending. */
  get nextCopy(): number {
    return this.#underWay[0]?.from ?? Number.POSITIVE_INFINITY;
  }

  has(name: string): boolean {
    return this.#all.has(name);
  }

  /** Applies an administrator's change to every datacenter immediately, without a replication delay. */
  plant(
    names: readonly string[],
    { primaryDatacenter: primary }: Federation,
    change: (datacenterOf: (name: string) => Datacenter) => void,
  ): void {
    const next = new Map([...this.#all].map(([name, datacenter]) => [name, datacenter.copy()]));
    for (const name of names) {
      const isCopy = primary !== "" && name !== primary;
      if (!next.has(name)) next.set(name, Datacenter.empty(isCopy ? COPYS_FIRST_INDEX : undefined));
    }
    change((name) => {
      const datacenter = next.get(name);
      if (datacenter === undefined) throw new Error(`the seed has no datacenter ${name}`);
      return datacenter;
    });
    this.#all = copyEntries(next, primary, next.get(primary));
    this.#before = this.#all;
    this.#underWay = [];
  }

  /** The datacenter of that name; throws a 500 if it does not exist. */
  at(name: string, isBehind = false): Datacenter {
    const datacenter = (isBehind ? this.#before : this.#all).get(name);
    if (datacenter === undefined) throw serverError("No path to datacenter");
    return datacenter;
  }

  /** Stores a written state; replicas show it later. */
  keep(name: string, datacenter: Datacenter, federation: Federation, now: number): void {
    const { primaryDatacenter, copiedAfterMilliseconds } = federation;
    this.#before = this.#all;
    this.#all = new Map([...this.#all, [name, datacenter]]);
    if (name !== primaryDatacenter) return;
    const from = now + copiedAfterMilliseconds;
    // A replica never returns to an older state.
    const earlier = this.#underWay.filter((one) => one.from <= from);
    this.#underWay = [...earlier, { from, primary: datacenter }];
    this.catchUp(federation, now);
  }

  /** Applies every replication that is due. */
  catchUp({ primaryDatacenter }: Federation, now: number): void {
    const arrived = this.#underWay.filter(({ from }) => from <= now);
    this.#underWay = this.#underWay.filter(({ from }) => from > now);
    this.#all = copyEntries(this.#all, primaryDatacenter, arrived.at(-1)?.primary);
  }

  clear(): void {
    this.#all = new Map();
  }

  /** Returns the state as plain data. */
  dump(): unknown {
    return Object.fromEntries([...this.#all].map(([name, datacenter]) => [name, datacenter.dump()]));
  }
}

/** Replaces the entries of every non-primary datacenter with those of the given state of the primary. */
function copyEntries(all: Places, primary: string, held: Datacenter | undefined): Places {
  if (held === undefined) return all;
  return new Map(
    [...all].map(([name, each]) => [name, name === primary ? each : each.withEntriesOf(held)] as const),
  );
}
