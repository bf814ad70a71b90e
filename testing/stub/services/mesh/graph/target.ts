/** The target whose instances a resolver looks up; members without a value are empty. */
export interface Target {
  readonly service: string;
  readonly subset: string;
  readonly namespace: string;
  readonly datacenter: string;
  readonly peer: string;
}

/** The members of a redirect or a failover. */
interface Change {
  readonly Service?: string;
  readonly ServiceSubset?: string;
  readonly Namespace?: string;
  readonly Datacenter?: string;
  readonly Peer?: string;
}

/** The target after a redirect or a failover. */
export function rewriteTarget(target: Target, change: Change): Target {
  const { Service = target.service, ServiceSubset, Namespace, Datacenter, Peer = "" } = change;
  const isOther = Service !== target.service;
  return {
    service: Service,
    // A subset belongs to its service.
    subset: ServiceSubset ?? (isOther ? "" : target.subset),
    namespace: Namespace ?? (Peer === "" ? target.namespace : "default"),
    datacenter: Datacenter ?? target.datacenter,
    peer: Peer,
  };
}

/** The server's identifier for a target. */
export function idOf({ service, subset, namespace, datacenter, peer }: Target): string {
  const front = subset === "" ? service : `${subset}.${service}`;
  return `${front}.${namespace}.default.${peer === "" ? datacenter || "dc1" : `external.${peer}`}`;
}
