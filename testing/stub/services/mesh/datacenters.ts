import { failed } from "./errors";
import type { Switches } from "./settings";
import { Datacenter } from "./world";

type Places = ReadonlyMap<string, Datacenter>;
type Federation = Pick<Switches, "primaryDatacenter" | "copiedAfterMilliseconds">;

/** Where the index of a datacenter begins that copies another: each counts for itself. */
const COPYS_FIRST_INDEX = 1001;

/** All datacenters: as they are, as they were before the latest write, and what the copies do not show yet. */
export class Datacenters {
  #all: Places = new Map();
  /** Before the latest write, for stale reads. */
  #before: Places = new Map();
  /** What the primary datacenter held, and from when on the others show it. */
  #underWay: readonly { readonly from: number; readonly primary: Datacenter }[] = [];

  /** When the next copy shows something; never, where none is under way. */
  get nextCopy(): number {
    return this.#underWay[0]?.from ?? Number.POSITIVE_INFINITY;
  }

  has(name: string): boolean {
    return this.#all.has(name);
  }

  /** What an administrator does: in every datacenter at once, and in the copies as soon. */
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
    this.#all = copied(next, primary, next.get(primary));
    this.#before = this.#all;
    this.#underWay = [];
  }

  /** A datacenter; 500 where there is no such. */
  at(name: string, isBehind = false): Datacenter {
    const datacenter = (isBehind ? this.#before : this.#all).get(name);
    if (datacenter === undefined) throw failed("No path to datacenter");
    return datacenter;
  }

  /** Keeps what was written; the copies show it later. */
  keep(name: string, datacenter: Datacenter, federation: Federation, now: number): void {
    const { primaryDatacenter, copiedAfterMilliseconds } = federation;
    this.#before = this.#all;
    this.#all = new Map([...this.#all, [name, datacenter]]);
    if (name !== primaryDatacenter) return;
    const from = now + copiedAfterMilliseconds;
    // A copy never goes back to what was there before.
    const earlier = this.#underWay.filter((one) => one.from <= from);
    this.#underWay = [...earlier, { from, primary: datacenter }];
    this.catchUp(federation, now);
  }

  /** Has the copies show what was written long enough ago. */
  catchUp({ primaryDatacenter }: Federation, now: number): void {
    const arrived = this.#underWay.filter(({ from }) => from <= now);
    this.#underWay = this.#underWay.filter(({ from }) => from > now);
    this.#all = copied(this.#all, primaryDatacenter, arrived.at(-1)?.primary);
  }

  clear(): void {
    this.#all = new Map();
  }

  /** As plain data. */
  dump(): unknown {
    return Object.fromEntries([...this.#all].map(([name, datacenter]) => [name, datacenter.dump()]));
  }
}

/** Every datacenter but the primary one, holding what that held. */
function copied(all: Places, primary: string, held: Datacenter | undefined): Places {
  if (held === undefined) return all;
  return new Map(
    [...all].map(([name, each]) => [name, name === primary ? each : each.withEntriesOf(held)] as const),
  );
}
