import { ownOf } from "../../../json";
import { serverError } from "../errors";
import { placeOf, type ServiceId, serviceText } from "../kinds/define";
import { isHttpLike } from "../kinds/http";
import { serviceDefaults } from "../kinds/service-defaults";
import { type Resolver, serviceResolver } from "../kinds/service-resolver";
import { serviceRouter } from "../kinds/service-router";
import { serviceSplitter } from "../kinds/service-splitter";
import type { Proposed } from "./proposed";
import { idOf, rewriteTarget, type Target } from "./target";

/** How requests reach a service: router, splitters, resolvers. */
export interface Chain {
  readonly protocol: string;
  readonly startsWith: "router" | "splitter" | "resolver";
}

/** Follows a service's discovery chain to its ends; throws a 500 if it breaks a rule between entries. */
export function compileChain(entries: Proposed, service: ServiceId): Chain {
  return new Compiler(entries, service).compile();
}

class Compiler {
  #protocol = "";
  /** The splitters found so far, each with the splitters it leads to. */
  readonly #splitters = new Map<string, string[]>();
  readonly #resolved = new Set<string>();

  constructor(
    private readonly entries: Proposed,
    private readonly service: ServiceId,
  ) {}

  compile(): Chain {
    const { service } = this;
    const router = this.entries.body("service-router", service);
    if (router !== undefined) this.#route(serviceRouter.of(router).Routes ?? []);
    const isSplit = this.#splitOrResolve(service);
    this.#requireNoCircle();
    if ((router !== undefined || this.#splitters.size > 0) && !isHttpLike(this.#protocol)) {
      throw serverError(
        `discovery chain ${JSON.stringify(service.name)} uses a protocol ${JSON.stringify(this.#protocol)} that does not permit advanced routing or splitting behavior`,
      );
    }
    return {
      protocol: this.#protocol,
      startsWith: router !== undefined ? "router" : isSplit ? "splitter" : "resolver",
    };
  }

  #route(routes: NonNullable<ReturnType<typeof serviceRouter.of>["Routes"]>): void {
    const { service } = this;
    this.#record(service);
    for (const { Destination = {} } of routes) {
      const reached = {
        name: Destination.Service ?? service.name,
        namespace: placeOf(Destination, service),
      };
      if (Destination.ServiceSubset === undefined) this.#splitOrResolve(reached);
      else this.#resolve(targetOf(reached, Destination.ServiceSubset));
    }
  }

  /** Returns true if the service has a splitter. */
  #splitOrResolve(service: ServiceId): boolean {
    if (this.#split(service) !== undefined) return true;
    this.#resolve(targetOf(service));
    return false;
  }

  /** Returns the node of the service's splitter, if it has one. */
  #split(service: ServiceId): string | undefined {
    const node = `splitter:${service.name}.${service.namespace}.default`;
    if (this.#splitters.has(node)) return node;
    const splitter = this.entries.body("service-splitter", service);
    if (splitter === undefined) return undefined;
    const next: string[] = [];
    this.#splitters.set(node, next);
    for (const split of serviceSplitter.of(splitter).Splits ?? []) {
      const reached = { name: split.Service ?? service.name, namespace: placeOf(split, service) };
      const isOther = reached.name !== service.name || reached.namespace !== service.namespace;
      const inner = isOther && split.ServiceSubset === undefined ? this.#split(reached) : undefined;
      if (inner === undefined) this.#resolve(targetOf(reached, split.ServiceSubset));
      else next.push(inner);
    }
    return node;
  }

  /** Follows redirects and default subsets, then failover targets. */
  #resolve(start: Target, isFailover = false): void {
    const visited: string[] = [];
    let target = start;
    for (;;) {
      const id = idOf(target);
      if (this.#resolved.has(id)) return;
      const service = { name: target.service, namespace: target.namespace };
      if (target.peer === "") this.#record(service);
      const resolver = serviceResolver.of(this.entries.body("service-resolver", service) ?? {});
      if (visited.includes(id)) {
        throw serverError(`detected circular resolver redirect: [${[...visited, id].join(" -> ")}]`);
      }
      visited.push(id);
      const next = redirectTarget(target, resolver);
      if (next !== undefined) {
        target = next;
        continue;
      }
      this.#requireSubset(target, resolver);
      this.#requireNothingOfExternal(service, resolver);
      if (isFailover) return;
      this.#resolved.add(id);
      for (const other of failoverOf(target, resolver)) this.#resolve(other, true);
      return;
    }
  }

  #requireSubset({ service, subset }: Target, { Subsets = {} }: Resolver): void {
    if (subset === "" || Object.hasOwn(Subsets, subset)) return;
    throw serverError(
      `service ${JSON.stringify(service)} does not have a subset named ${JSON.stringify(subset)}`,
    );
  }

  /** A service with its own TLS name (`ExternalSNI`) is outside the mesh. */
  #requireNothingOfExternal(service: ServiceId, resolver: Resolver): void {
    const defaults = serviceDefaults.of(this.entries.body("service-defaults", service) ?? {});
    if (defaults.ExternalSNI === undefined) return;
    for (const [what, value] of [
      ["redirects", resolver.Redirect],
      ["subsets", resolver.Subsets],
      ["failover", resolver.Failover],
    ] as const) {
      if (value === undefined) continue;
      throw serverError(
        `service ${JSON.stringify(service.name)} has an external SNI set; cannot define ${what} for external services`,
      );
    }
  }

  /** Throws if the services of a chain use different protocols. */
  #record(service: ServiceId): void {
    const protocol = this.entries.protocolOf(service);
    if (this.#protocol === "") this.#protocol = protocol;
    if (this.#protocol === protocol) return;
    throw serverError(
      `discovery chain ${JSON.stringify(this.service.name)} uses inconsistent protocols; service ${JSON.stringify(serviceText(service))} has ${JSON.stringify(protocol)} which is not ${JSON.stringify(this.#protocol)}`,
    );
  }

  #requireNoCircle(): void {
    const follow = (node: string, path: readonly string[]): void => {
      const longer = [...path, node];
      if (path.includes(node)) throw serverError(`detected circular reference: [${longer.join(" -> ")}]`);
      for (const next of this.#splitters.get(node) ?? []) follow(next, longer);
    };
    for (const node of this.#splitters.keys()) follow(node, []);
  }
}

function targetOf({ name, namespace }: ServiceId, subset = ""): Target {
  return { service: name, namespace, subset, datacenter: "", peer: "" };
}

/** The target that the resolver redirects to; undefined if it does not redirect. */
function redirectTarget(target: Target, { Redirect, DefaultSubset }: Resolver): Target | undefined {
  if (Redirect !== undefined) {
    const other = rewriteTarget(target, Redirect);
    if (idOf(other) !== idOf(target)) return other;
  }
  return target.subset === "" && DefaultSubset !== undefined
    ? { ...target, subset: DefaultSubset }
    : undefined;
}

function failoverOf(target: Target, { Failover = {} }: Resolver): readonly Target[] {
  const failover = ownOf(Failover, target.subset) ?? Failover["*"];
  if (failover === undefined) return [];
  const { Datacenters, Targets } = failover;
  const others = Datacenters?.map((Datacenter) => rewriteTarget(target, { ...failover, Datacenter })) ??
    Targets?.map((other) => rewriteTarget(target, other)) ?? [rewriteTarget(target, failover)];
  return others.filter((other) => idOf(other) !== idOf(target));
}
