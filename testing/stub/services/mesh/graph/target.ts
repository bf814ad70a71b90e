/** What a resolver finds instances of; empty where nothing is said. */
export interface Target {
  readonly service: string;
  readonly subset: string;
  readonly namespace: string;
  readonly datacenter: string;
  readonly peer: string;
}

/** What a redirect or a failover says. */
interface Change {
  readonly Service?: string;
  readonly ServiceSubset?: string;
  readonly Namespace?: string;
  readonly Datacenter?: string;
  readonly Peer?: string;
}

/** The target with what a redirect or a failover says of it. */
export function rewritten(target: Target, change: Change): Target {
  const { Service = target.service, ServiceSubset, Namespace, Datacenter, Peer = "" } = change;
  const isOther = Service !== target.service;
  return {
    service: Service,
    // A subset is one of its service.
    subset: ServiceSubset ?? (isOther ? "" : target.subset),
    namespace: Namespace ?? (Peer === "" ? target.namespace : "default"),
    datacenter: Datacenter ?? target.datacenter,
    peer: Peer,
  };
}

/** As the service names a target. */
export function idOf({ service, subset, namespace, datacenter, peer }: Target): string {
  const front = subset === "" ? service : `${subset}.${service}`;
  return `${front}.${namespace}.default.${peer === "" ? datacenter || "dc1" : `external.${peer}`}`;
}
