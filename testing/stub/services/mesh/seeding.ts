import { reconcile } from "./controller";
import { decode } from "./decode";
import { draftOf } from "./drafting";
import type { Seed, Switches } from "./settings";
import { type Datacenter, DEFAULT_PARTITION } from "./world";

type Places = Pick<Seed, "entries" | "removed" | "statuses" | "reindexed">;

/** Applies the entries of an administrator's seed to the datacenters, without checking the rules between entries. */
export function plant(
  { entries, removed, statuses, reindexed }: Places,
  datacenterOf: (name: string | undefined) => Datacenter,
  switches: Switches,
  now: number,
): void {
  const changed = new Set<Datacenter>();
  for (const { datacenter: name, namespace, partition, entry } of entries) {
    const decoded = decode(entry, switches);
    const place = {
      namespace: namespace ?? (decoded.namespace || "default"),
      partition: partition ?? (decoded.partition || DEFAULT_PARTITION),
    };
    const datacenter = datacenterOf(name).in(place.partition);
    datacenter.store(draftOf(decoded, place, switches));
    changed.add(datacenter);
  }
  for (const each of removed) {
    const datacenter = datacenterOf(each.datacenter).in(each.partition ?? DEFAULT_PARTITION);
    const entry = datacenter.find(each.kind, nameInPlace(each));
    if (entry !== undefined) datacenter.remove(entry);
    changed.add(datacenter);
  }
  if (switches.reconciles) for (const datacenter of changed) reconcile(datacenter, now);
  for (const { conditions, ...each } of statuses) {
    const datacenter = datacenterOf(each.datacenter).in(each.partition ?? DEFAULT_PARTITION);
    const LastTransitionTime = new Date(now).toISOString();
    datacenter.touch(
      theEntry(datacenter, each),
      conditions.map((condition) => ({ ...condition, LastTransitionTime })),
    );
  }
  for (const each of reindexed) {
    const datacenter = datacenterOf(each.datacenter).in(each.partition ?? DEFAULT_PARTITION);
    datacenter.touch(theEntry(datacenter, each));
  }
}

interface Named {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
}

function nameInPlace({ name, namespace = "default" }: Named) {
  return { name, namespace };
}

function theEntry(datacenter: Datacenter, named: Named) {
  const entry = datacenter.find(named.kind, nameInPlace(named));
  if (entry === undefined) throw new Error(`the seed has no ${named.kind} ${JSON.stringify(named.name)}`);
  return entry;
}
