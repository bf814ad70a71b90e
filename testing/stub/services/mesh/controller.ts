import { isDeepStrictEqual } from "node:util";
import type { Members } from "../../json";
import { type ApiListener, apiGateway } from "./kinds/api-gateway";
import { placeOf } from "./kinds/define";
import type { Reference } from "./kinds/placement";
import { httpRoute, tcpRoute } from "./kinds/routes";
import type { Condition, Datacenter, Draft, Entry } from "./world";

type Verdict = Omit<Condition, "LastTransitionTime">;

const WATCHED = new Set([
  "api-gateway",
  "http-route",
  "tcp-route",
  "inline-certificate",
  "file-system-certificate",
]);

/** True if the controller watches entries of this kind; it ignores changes to other kinds. */
export function isWatched(kind: string): boolean {
  return WATCHED.has(kind);
}

/**
 * Consul's controller: binds routes to gateways, maintains a `bound-api-gateway` for each, and writes the result to each
 * entry's `Status`. Each of its changes increments the index without a user's write.
 */
export function reconcile(datacenter: Datacenter, now: number): void {
  for (const gateway of datacenter.ofKind("api-gateway")) {
    const bound = bindGateway(datacenter, gateway);
    const before = datacenter.find("bound-api-gateway", gateway);
    if (before === undefined || !isDeepStrictEqual(before.body, bound.body)) datacenter.store(bound);
    setConditions(datacenter, gateway, verdictsOnGateway(datacenter, gateway), now);
  }
  for (const bound of datacenter.ofKind("bound-api-gateway")) {
    if (datacenter.find("api-gateway", bound) === undefined) datacenter.remove(bound);
  }
  for (const route of routesOf(datacenter)) {
    setConditions(datacenter, route, verdictsOnRoute(datacenter, route), now);
  }
}

/** Sets the conditions of an entry; unchanged ones keep their transition time. */
function setConditions(
  datacenter: Datacenter,
  entry: Entry,
  verdicts: readonly Verdict[],
  now: number,
): void {
  const before = entry.conditions.map(({ LastTransitionTime: _, ...verdict }) => verdict);
  if (isDeepStrictEqual(before, verdicts)) return;
  const LastTransitionTime = new Date(now).toISOString();
  datacenter.touch(
    entry,
    verdicts.map((verdict) => ({ ...verdict, LastTransitionTime })),
  );
}

function routesOf(datacenter: Datacenter): readonly Entry[] {
  return [...datacenter.ofKind("http-route"), ...datacenter.ofKind("tcp-route")];
}

function listenersOf({ body }: Draft): readonly ApiListener[] {
  return apiGateway.of(body).Listeners ?? [];
}

function parentsOf({ kind, body }: Draft): readonly Reference[] {
  return (kind === "http-route" ? httpRoute.of(body) : tcpRoute.of(body)).Parents ?? [];
}

function isParent(parent: Reference, route: Draft, gateway: Draft): boolean {
  return parent.Name === gateway.name && placeOf(parent, route) === gateway.namespace;
}

function fits(parent: Reference, route: Draft, { Name, Protocol }: ApiListener): boolean {
  const { SectionName = "" } = parent;
  return (SectionName === "" || SectionName === Name) && route.kind === `${Protocol}-route`;
}

/** The routes that name a listener as their parent, ordered by kind and name. */
function askersOf(datacenter: Datacenter, gateway: Draft, listener: ApiListener): readonly Entry[] {
  return routesOf(datacenter).filter((route) =>
    parentsOf(route).some((parent) => isParent(parent, route, gateway) && fits(parent, route, listener)),
  );
}

function bindGateway(datacenter: Datacenter, gateway: Entry): Draft {
  const Listeners = listenersOf(gateway).map((listener) => {
    const routes = askersOf(datacenter, gateway, listener).map((route) => referenceTo(route));
    const certificates = certificatesOf(gateway, listener).filter((each) => isThere(datacenter, each));
    return {
      ...(listener.Name !== undefined && { Name: listener.Name }),
      ...(routes.length > 0 && { Routes: routes }),
      ...(certificates.length > 0 && { Certificates: certificates }),
    };
  });
  const body = { Listeners };
  const { name, namespace, partition } = gateway;
  return { kind: "bound-api-gateway", name, namespace, partition, body, spelled: body };
}

function certificatesOf(gateway: Draft, { TLS }: ApiListener) {
  return (TLS?.Certificates ?? []).map(({ Kind = "inline-certificate", Name = "", ...certificate }) => ({
    Kind,
    Name,
    Namespace: placeOf(certificate, gateway),
  }));
}

function isThere(
  datacenter: Datacenter,
  each: { readonly Kind: string; readonly Name: string; readonly Namespace: string },
): boolean {
  const id = { name: each.Name, namespace: each.Namespace };
  return datacenter.find(each.Kind, id) !== undefined;
}

function verdictsOnGateway(datacenter: Datacenter, gateway: Entry): readonly Verdict[] {
  const listeners = listenersOf(gateway);
  const missing = listeners
    .flatMap((listener) => certificatesOf(gateway, listener))
    .filter((each) => !isThere(datacenter, each));
  return [
    {
      Type: "Accepted",
      Status: "True",
      Reason: "Accepted",
      Message: "gateway is valid",
      Resource: referenceTo(gateway),
    },
    ...missing.map(
      (certificate): Verdict => ({
        Type: "ResolvedRefs",
        Status: "False",
        Reason: "InvalidCertificateRef",
        Message: `certificate not found: ${JSON.stringify(certificate.Name)}`,
        Resource: referenceTo(gateway),
      }),
    ),
    ...listeners.map((listener): Verdict => {
      // A TCP connection carries nothing that selects one of two routes.
      const isTorn = listener.Protocol === "tcp" && askersOf(datacenter, gateway, listener).length > 1;
      return {
        Type: "Conflicted",
        Status: isTorn ? "True" : "False",
        Reason: isTorn ? "RouteConflict" : "NoConflict",
        Message: isTorn
          ? "TCP-based listeners currently only support binding a single route"
          : "listener has no route conflicts",
        Resource: referenceTo(gateway, listener.Name),
      };
    }),
  ];
}

function verdictsOnRoute(datacenter: Datacenter, route: Entry): readonly Verdict[] {
  const accepted: Verdict = {
    Type: "Accepted",
    Status: "True",
    Reason: "Accepted",
    Message: "route is valid",
    Resource: null,
  };
  return [accepted, ...parentsOf(route).map((parent) => verdictOnParent(datacenter, route, parent))];
}

function verdictOnParent(datacenter: Datacenter, route: Entry, parent: Reference): Verdict {
  const namespace = placeOf(parent, route);
  const { partition } = route;
  const { Name = "", SectionName = "" } = parent;
  const gateway = datacenter.find("api-gateway", { name: Name, namespace });
  const Resource = referenceTo({ kind: "api-gateway", name: Name, namespace, partition }, SectionName);
  if (gateway === undefined) {
    const Message = "gateway was not found";
    return { Type: "Bound", Status: "False", Reason: "GatewayNotFound", Message, Resource };
  }
  if (!listenersOf(gateway).some((listener) => fits(parent, route, listener))) {
    const Message = `failed to bind route ${route.name} to gateway ${Name} with listener '${SectionName}'`;
    return { Type: "Bound", Status: "False", Reason: "FailedToBind", Message, Resource };
  }
  return { Type: "Bound", Status: "True", Reason: "Bound", Message: "successfully bound route", Resource };
}

function referenceTo(
  { kind, name, namespace, partition }: Omit<Draft, "body" | "spelled">,
  SectionName = "",
): Members {
  return { Kind: kind, Name: name, SectionName, Partition: partition, Namespace: namespace };
}
