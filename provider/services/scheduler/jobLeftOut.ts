import { leavingOut } from "../../core/language/documentFacts";
import { jobSpec } from "./spec/job";

/** The services of a job, of its groups and of their tasks. */
const CONNECTS = ["TaskGroups.*.Services.*.Connect", "TaskGroups.*.Tasks.*.Services.*.Connect"];

/** Members of a proxy and of a gateway that are plain values; their `Config` is the user's, and is left alone. */
const ofConnect = [
  ...["LocalServiceAddress", "LocalServicePort", "Upstreams.*.*", "Upstreams.*.MeshGateway.*"].map(inProxy),
  ...["Expose.Paths.*.*", "Expose.Path.*.*", "TransparentProxy.*"].map(inProxy),
  ...["EnvoyGatewayBindTaggedAddresses", "EnvoyGatewayNoDefaultBind", "EnvoyDNSDiscoveryType"].map(inGateway),
  ...["EnvoyGatewayBindAddresses.*.*"].map(inGateway),
  ...["Ingress.TLS", "Ingress.Listeners.*.Services.*.TLS"].flatMap((tls) => [
    `Gateway.${tls}.*`,
    `Gateway.${tls}.SDS.*`,
  ]),
  ...["Ingress.Listeners.*.*", "Ingress.Listeners.*.Services.*.Name", "Terminating.Services.*.*"].map(
    (path) => `Gateway.${path}`,
  ),
];

const typed = leavingOut(jobSpec, "pascal");

/**
 * What leaving out a member of a job comes to: the service's own documents hold an empty value in its place, and its
 * parser fills a few of them in. What the typed `spec` says of its members, and the same of those parts of a job that
 * it takes in the service's own names.
 */
export const jobLeftOut = {
  leftOut: typed.leftOut,
  empties: [
    ...typed.empties,
    ...CONNECTS.flatMap((connect) => ofConnect.map((path) => `${connect}.${path}`)),
    "Dispatched",
    "Multiregion.Regions.*.NodePool",
    "TaskGroups.*.Tasks.*.Schedule.Cron.*",
  ],
};

function inProxy(path: string): string {
  return `SidecarService.Proxy.${path}`;
}

function inGateway(path: string): string {
  return `Gateway.Proxy.${path}`;
}
