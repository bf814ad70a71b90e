import { isObject } from "../../../json";
import {
  anything,
  direct,
  type Field,
  type FullOf,
  flag,
  type GivenOf,
  integer,
  list,
  map,
  optional,
  struct,
  text,
} from "./field";
import { identity } from "./identity";
import { volumeMount } from "./network";
import { logConfig, resources } from "./resources";

// The members of Nomad's own types (`nomad/structs/services.go` and `connect.go`, Nomad 2.0).

const exposePath = struct({
  Path: direct(text()),
  Protocol: direct(text()),
  LocalPathPort: direct(integer()),
  ListenerPort: direct(text()),
});

const expose = alsoNamed(struct({ Paths: list(exposePath) }), { Path: "Paths" });

const upstream = struct({
  DestinationName: direct(text()),
  DestinationNamespace: direct(text()),
  DestinationPeer: direct(text()),
  DestinationPartition: direct(text()),
  DestinationType: direct(text()),
  LocalBindPort: direct(integer()),
  Datacenter: direct(text()),
  LocalBindAddress: direct(text()),
  LocalBindSocketPath: direct(text()),
  LocalBindSocketMode: direct(text()),
  MeshGateway: struct({ Mode: direct(text()) }),
  Config: map(anything()),
});

const transparentProxy = struct({
  UID: direct(text()),
  OutboundPort: direct(integer()),
  ExcludeInboundPorts: list(text()),
  ExcludeOutboundPorts: list(integer()),
  ExcludeOutboundCIDRs: list(text()),
  ExcludeUIDs: list(text()),
  NoDNS: direct(flag()),
});

const proxy = alsoNamed(
  struct({
    LocalServiceAddress: direct(text()),
    LocalServicePort: direct(integer()),
    Upstreams: list(upstream),
    Expose: optional(expose),
    TransparentProxy: optional(transparentProxy),
    Config: map(anything()),
  }),
  { ExposeConfig: "Expose" },
);

const tls = struct({
  Enabled: direct(flag()),
  TLSMinVersion: direct(text()),
  TLSMaxVersion: direct(text()),
  CipherSuites: list(text()),
  SDS: optional(struct({ ClusterName: direct(text()), CertResource: direct(text()) })),
});

const headers = struct({ Add: map(text()), Set: map(text()), Remove: list(text()) });

const ingressService = struct({
  Name: direct(text()),
  Hosts: list(text()),
  TLS: optional(tls),
  RequestHeaders: optional(headers),
  ResponseHeaders: optional(headers),
  MaxConnections: optional(integer()),
  MaxPendingRequests: optional(integer()),
  MaxConcurrentRequests: optional(integer()),
});

const linkedService = struct({
  Name: direct(text()),
  CAFile: direct(text()),
  CertFile: direct(text()),
  KeyFile: direct(text()),
  SNI: direct(text()),
});

const gateway = struct({
  Proxy: optional(
    struct({
      ConnectTimeout: integer(5_000_000_000),
      EnvoyGatewayBindTaggedAddresses: direct(flag()),
      // The name of an address is its key.
      EnvoyGatewayBindAddresses: map(struct({ Address: direct(text()), Port: direct(integer()) })),
      EnvoyGatewayNoDefaultBind: direct(flag()),
      EnvoyDNSDiscoveryType: direct(text()),
      Config: map(anything()),
    }),
  ),
  Ingress: optional(
    struct({
      TLS: optional(tls),
      Listeners: list(
        struct({ Port: direct(integer()), Protocol: direct(text("tcp")), Services: list(ingressService) }),
      ),
    }),
  ),
  Terminating: optional(struct({ Services: list(linkedService) })),
  Mesh: optional(struct({})),
});

const sidecarTask = struct({
  Name: direct(text()),
  Driver: direct(text()),
  User: direct(text()),
  Config: map(anything()),
  Env: map(text()),
  Resources: optional(resources),
  Meta: map(text()),
  KillTimeout: optional(integer()),
  LogConfig: optional(logConfig),
  ShutdownDelay: optional(integer()),
  KillSignal: direct(text()),
  VolumeMounts: list(volumeMount),
  Identities: list(identity),
});

const connectShape = struct({
  Native: direct(flag()),
  SidecarService: optional(
    struct({
      Tags: list(text()),
      Port: direct(text()),
      Proxy: optional(proxy),
      DisableDefaultTCPCheck: direct(flag()),
      Meta: map(text()),
    }),
  ),
  SidecarTask: optional(sidecarTask),
  Gateway: optional(gateway),
});

/** Exported interfaces, because the compiler cannot write a declaration for a type as long as the complete job's. */
export interface GivenConnect extends GivenOf<typeof connectShape> {}
export interface Connect extends FullOf<typeof connectShape> {}

/** The connection of a service to the service mesh. */
export const connect: Field<Connect, GivenConnect> = connectShape;

/** A document whose members have further names, which win (source: `command/agent/job_endpoint.go`). */
function alsoNamed<F, G>(field: Field<F, G>, names: Readonly<Record<string, string>>): Field<F, G> {
  return {
    ...field,
    read(value, at) {
      if (!isObject(value)) return field.read(value, at);
      const renamed = Object.entries(names).flatMap(([name, own]) =>
        (value[name] ?? null) === null ? [] : [[own, value[name]] as const],
      );
      return field.read({ ...value, ...Object.fromEntries(renamed) }, at);
    },
  };
}
