import { compileFilter, FilterError } from "../../../filter";
import { ownOf } from "../../../json";
import { serverError } from "../errors";
import { list, map } from "../shape/field";
import { duration, flag, text } from "../shape/scalars";
import { type Body, struct } from "../shape/struct";
import { defineKind, placeOf, SERVICE, type ServiceId } from "./define";
import { type LoadBalancer, loadBalancer, validateLoadBalancer } from "./load-balancer";
import { PLACEABLE } from "./placement";

const TARGET = {
  Service: text,
  ServiceSubset: text,
  ...PLACEABLE,
  Datacenter: text,
  Peer: text,
};

const FAILOVER = {
  Service: text,
  ServiceSubset: text,
  Namespace: text,
  Datacenters: list(text),
  Targets: list(struct(TARGET)),
  Policy: struct({ Mode: text, Regions: list(text) }),
  SamenessGroup: text,
};

const FIELDS = {
  DefaultSubset: text,
  Subsets: map(struct({ Filter: text, OnlyPassing: flag })),
  Redirect: struct({ ...TARGET, SamenessGroup: text }),
  Failover: map(struct(FAILOVER)),
  ConnectTimeout: duration,
  RequestTimeout: duration,
  LoadBalancer: loadBalancer,
  PrioritizeByLocality: struct({ Mode: text }),
};

export type Resolver = Body<typeof FIELDS>;

/** Which instances of a service receive its requests, and the failover targets if none is available. */
export const serviceResolver = defineKind({
  kind: "service-resolver",
  write: SERVICE,
  read: SERVICE,
  fields: FIELDS,
  validate(body, self) {
    validateSubsets(body);
    if (body.Redirect !== undefined) validateRedirect(body, self);
    for (const [subset, failover] of Object.entries(body.Failover ?? {})) {
      validateFailover(body, subset, failover, self);
    }
    for (const field of ["ConnectTimeout", "RequestTimeout"] as const) {
      const timeout = body[field];
      if (timeout?.startsWith("-")) throw serverError(`Bad ${field} '${timeout}', must be >= 0`);
    }
    const balancer: LoadBalancer | undefined = body.LoadBalancer;
    if (balancer !== undefined) validateLoadBalancer(balancer);
  },
  leadsTo: ({ Redirect, Failover = {} }, self) => [
    ...(Redirect === undefined ? [] : [targetService(Redirect, self)]),
    ...Object.values(Failover).flatMap((failover) =>
      failover.Targets === undefined
        ? [targetService(failover, self)]
        : failover.Targets.filter(({ Peer }) => Peer === undefined).map((target) =>
            targetService(target, self),
          ),
    ),
  ],
});

function targetService(
  target: { readonly Service?: string; readonly Namespace?: string },
  self: ServiceId,
): ServiceId {
  return { name: target.Service ?? self.name, namespace: placeOf(target, self) };
}

const SUBSET = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

function validateSubsets({ Subsets = {}, DefaultSubset }: Resolver): void {
  for (const [name, { Filter }] of Object.entries(Subsets)) {
    if (name === "") throw serverError("Subset defined with empty name");
    const quoted = JSON.stringify(name);
    if (name.length > 63) {
      throw serverError(`Subset ${quoted} is invalid: must be non-empty and 63 characters or fewer`);
    }
    if (!SUBSET.test(name)) {
      throw serverError(
        `Subset ${quoted} is invalid: must be 63 characters or fewer, begin or end with lower case alphanumeric characters, and contain lower case alphanumeric characters or '-' in between`,
      );
    }
    if (Filter !== undefined) validateFilter(Filter, quoted);
  }
  if (DefaultSubset !== undefined && ownOf(Subsets, DefaultSubset) === undefined) {
    throw serverError(`DefaultSubset ${JSON.stringify(DefaultSubset)} is not a valid subset`);
  }
}

function validateFilter(expression: string, subset: string): void {
  try {
    compileFilter(expression);
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    throw serverError(`Filter for subset ${subset} is not a valid expression: ${error.message}`);
  }
}

function validateRedirect({ Redirect = {}, Failover, Subsets = {} }: Resolver, { name }: ServiceId): void {
  const { Service, ServiceSubset, Partition, Datacenter, Peer } = Redirect;
  if (Failover !== undefined) throw serverError("Redirect and Failover cannot both be set");
  if (Object.keys(Redirect).length === 0) throw serverError("Redirect is empty");
  if (Peer !== undefined) {
    if (ServiceSubset !== undefined)
      throw serverError("Redirect.Peer cannot be set with Redirect.ServiceSubset");
    if (Partition !== undefined) throw serverError("Redirect.Partition cannot be set with Redirect.Peer");
    if (Datacenter !== undefined) throw serverError("Redirect.Peer cannot be set with Redirect.Datacenter");
  }
  if (Service === undefined) {
    for (const field of ["ServiceSubset", "Namespace", "Partition", "Peer"] as const) {
      if (Redirect[field] !== undefined) {
        throw serverError(`Redirect.${field} defined without Redirect.Service`);
      }
    }
  } else if (ServiceSubset !== undefined && Service === name && ownOf(Subsets, ServiceSubset) === undefined) {
    throw serverError(
      `Redirect.ServiceSubset ${JSON.stringify(ServiceSubset)} is not a valid subset of ${JSON.stringify(name)}`,
    );
  }
}

function validateFailover(
  { Subsets = {} }: Resolver,
  subset: string,
  failover: Body<typeof FAILOVER>,
  { name }: ServiceId,
): void {
  const at = `Bad Failover[${JSON.stringify(subset)}]`;
  const { Service, ServiceSubset, Namespace, Datacenters, Targets, Policy, SamenessGroup } = failover;
  const isOwn = (service: string | undefined) => service === undefined || service === name;
  if (subset !== "*" && ownOf(Subsets, subset) === undefined)
    throw serverError(`${at}: not a valid subset subset`);
  if (
    [Service, ServiceSubset, Namespace, Datacenters, Targets, SamenessGroup].every(
      (each) => each === undefined,
    )
  ) {
    throw serverError(
      `${at}: one of Service, ServiceSubset, Namespace, Targets, SamenessGroup, or Datacenters is required`,
    );
  }
  if (!["", "sequential", "order-by-locality"].includes(Policy?.Mode ?? "")) {
    throw serverError(`${at}: Policy must be one of '', 'sequential', or 'order-by-locality'`);
  }
  if (ServiceSubset !== undefined && isOwn(Service) && ownOf(Subsets, ServiceSubset) === undefined) {
    throw serverError(
      `${at}: ServiceSubset ${JSON.stringify(ServiceSubset)} is not a valid subset of ${JSON.stringify(Service ?? "")}`,
    );
  }
  if (Targets !== undefined) {
    for (const field of ["Datacenters", "ServiceSubset", "Service"] as const) {
      if (failover[field] !== undefined) throw serverError(`${at}: Targets cannot be set with ${field}`);
    }
  }
  for (const [index, target] of (Targets ?? []).entries()) {
    const place = `${at}.Targets[${index}]`;
    if (target.Peer !== undefined) {
      if (target.ServiceSubset !== undefined)
        throw serverError(`${place}: Peer cannot be set with ServiceSubset`);
      if (target.Partition !== undefined) throw serverError(`${place}: Partition cannot be set with Peer`);
      if (target.Datacenter !== undefined) throw serverError(`${place}: Peer cannot be set with Datacenter`);
    }
    if (target.Partition !== undefined && target.Datacenter !== undefined) {
      throw serverError(`${place}: Partition cannot be set with Datacenter`);
    }
    const { ServiceSubset: wanted } = target;
    if (wanted !== undefined && isOwn(target.Service) && ownOf(Subsets, wanted) === undefined) {
      throw serverError(
        `${place}: ServiceSubset ${JSON.stringify(wanted)} is not a valid subset of ${JSON.stringify(name)}`,
      );
    }
  }
  if (Datacenters?.includes("")) throw serverError(`${at}.Datacenters: found empty datacenter`);
}
