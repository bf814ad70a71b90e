import { serverError } from "../errors";
import { KINDS } from "../kinds";
import { placeOf, type ServiceId, serviceText } from "../kinds/define";
import { isHttpLike } from "../kinds/http";
import { ingressGateway } from "../kinds/ingress-gateway";
import { mesh } from "../kinds/mesh";
import { jwtProvidersOf, serviceIntentions, usesPermissions } from "../kinds/service-intentions";
import { allOf } from "../shape/problems";
import type { Datacenter, Draft } from "../world";
import { type Chain, compileChain } from "./chain";
import { Proposed } from "./proposed";

const CHAIN_KINDS = ["service-router", "service-splitter", "service-resolver"];
const SERVICE_KINDS = ["service-defaults", ...CHAIN_KINDS];

/**
 * Checks the rules between entries before a write (`next` is the written entry) or a delete; throws a 500 if one is broken.
 */
export function requireWholeGraph(
  datacenter: Datacenter,
  changed: Pick<Draft, "kind" | "name" | "namespace">,
  next: Draft | undefined,
): void {
  if (next !== undefined) {
    requireStrictTls(datacenter, next);
    requireNoClash(datacenter, next);
    requireJwtProviders(datacenter, next);
  } else if (changed.kind === "jwt-provider") requireUnusedProvider(datacenter, changed);
  const entries = new Proposed(datacenter, changed, next);
  const { services, gateways, intentions } = affectedChains(entries, changed, next);
  const chains = new Map<string, Chain>();
  const chainOf = (service: ServiceId) => {
    const chain = chains.get(serviceText(service)) ?? compileChain(entries, service);
    chains.set(serviceText(service), chain);
    return chain;
  };
  for (const service of services) chainOf(service);
  for (const gateway of gateways) requireSameProtocol(gateway, chainOf, gateway === next);
  for (const entry of intentions) requireHttp(entry, chainOf);
}

/** The discovery chains that a change can break, and the entries that depend on a chain's protocol. */
function affectedChains(
  entries: Proposed,
  changed: Pick<Draft, "kind" | "name" | "namespace">,
  next: Draft | undefined,
) {
  const { kind } = changed;
  const none: readonly Draft[] = [];
  if (kind === "proxy-defaults") {
    return {
      services: CHAIN_KINDS.flatMap((each) => entries.ofKind(each)),
      gateways: entries.ofKind("ingress-gateway"),
      intentions: entries.ofKind("service-intentions"),
    };
  }
  const own = next === undefined ? none : [next];
  if (kind === "service-intentions") return { services: none, gateways: none, intentions: own };
  if (kind === "ingress-gateway") return { services: none, gateways: own, intentions: none };
  if (!SERVICE_KINDS.includes(kind)) return { services: none, gateways: none, intentions: none };
  const linkedTargets = (entry: Draft) =>
    KINDS.get(entry.kind)
      ?.leadsTo(entry.body, entry)
      .some(({ name, namespace }) => name === changed.name && namespace === changed.namespace) ?? false;
  return {
    services: [changed, ...CHAIN_KINDS.flatMap((each) => entries.ofKind(each)).filter(linkedTargets)],
    gateways: entries.ofKind("ingress-gateway").filter(linkedTargets),
    intentions: entries.ofKind("service-intentions"),
  };
}

/** A proxy may accept unencrypted connections only if the mesh allows it; a stored permissive mode may stay. */
function requireStrictTls(datacenter: Datacenter, next: Draft): void {
  const mode = next.body.MutualTLSMode;
  if (mode !== "permissive" || datacenter.find(next.kind, next)?.body.MutualTLSMode === mode) return;
  const { body = {} } = datacenter.find("mesh", { name: "mesh", namespace: "default" }) ?? {};
  if (mesh.of(body).AllowEnablingPermissiveMutualTLS === true) return;
  throw serverError(
    "cannot set MutualTLSMode=permissive because AllowEnablingPermissiveMutualTLS=false in the mesh config entry",
  );
}

/** Intentions may only name JWT providers that exist. */
function requireJwtProviders(datacenter: Datacenter, next: Draft): void {
  if (next.kind !== "service-intentions") return;
  const missing = jwtProvidersOf(serviceIntentions.of(next.body)).filter(
    (name) => datacenter.find("jwt-provider", { name, namespace: "default" }) === undefined,
  );
  if (missing.length > 0)
    throw serverError(
      allOf(missing.map((name) => `Referenced JWT Provider does not exist. Provider Name: ${name}`)),
    );
}

/** A JWT provider that intentions name cannot be deleted. */
function requireUnusedProvider(datacenter: Datacenter, { name }: Pick<Draft, "name">): void {
  const user = datacenter
    .ofKind("service-intentions")
    .find(({ body }) => jwtProvidersOf(serviceIntentions.of(body)).includes(name));
  if (user !== undefined)
    throw serverError(
      `cannot delete jwt provider config entry referenced by an intention. Provider name: ${name}, intention name: ${user.name}`,
    );
}

const OTHER_GATEWAY: Readonly<Record<string, string>> = {
  "ingress-gateway": "terminating-gateway",
  "terminating-gateway": "ingress-gateway",
};

function requireNoClash(datacenter: Datacenter, next: Draft): void {
  const other = OTHER_GATEWAY[next.kind];
  if (other === undefined || datacenter.find(other, next) === undefined) return;
  throw serverError(
    `cannot create a ${JSON.stringify(next.kind)} config entry with name ${JSON.stringify(next.name)}, a ${JSON.stringify(other)} config entry with that name already exists`,
  );
}

/**
 * A gateway's listener must use the protocol of its services. A TCP listener may stay only if a service changes behind an
 * existing gateway and that service has no router and no splitter.
 */
function requireSameProtocol(gateway: Draft, chainOf: (service: ServiceId) => Chain, isNew: boolean): void {
  for (const { Protocol = "tcp", Services = [] } of ingressGateway.of(gateway.body).Listeners ?? []) {
    for (const service of Services) {
      if (service.Name === "*") continue;
      const id = { name: service.Name ?? "", namespace: placeOf(service, gateway) };
      const { protocol, startsWith } = chainOf(id);
      const isPlain = !isNew && Protocol === "tcp" && startsWith === "resolver";
      if (protocol === Protocol || isPlain) continue;
      throw serverError(
        `service ${JSON.stringify(serviceText(id))} has protocol ${JSON.stringify(protocol)}, which does not match defined listener protocol ${JSON.stringify(Protocol)}`,
      );
    }
  }
}

function requireHttp(entry: Draft, chainOf: (service: ServiceId) => Chain): void {
  if (entry.name === "*" || entry.namespace === "*") return;
  if (!usesPermissions(serviceIntentions.of(entry.body))) return;
  const { protocol } = chainOf(entry);
  if (isHttpLike(protocol)) return;
  throw serverError(
    `service ${JSON.stringify(serviceText(entry))} has protocol ${JSON.stringify(protocol)}, which is incompatible with L7 intentions permissions`,
  );
}
