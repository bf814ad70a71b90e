import { volumeMount } from "./network";
import { resources } from "./resources";
import { blockMap, free, many, one, schema } from "./schema";

const sidecarTask = schema(
  {
    name: "string",
    driver: "string",
    user: "string",
    kill_timeout: "duration",
    shutdown_delay: "duration",
    kill_signal: "string",
  },
  {
    config: free("Config", true),
    env: free("Env"),
    meta: free("Meta"),
    resources: one("Resources", () => resources),
    volume_mount: many("VolumeMounts", () => volumeMount),
  },
);

const upstream = schema(
  {
    destination_name: "string",
    destination_namespace: "string",
    destination_peer: "string",
    destination_partition: "string",
    destination_type: "string",
    local_bind_port: "number",
    local_bind_address: "string",
    local_bind_socket_path: "string",
    local_bind_socket_mode: "string",
    datacenter: "string",
  },
  { mesh_gateway: one("MeshGateway", () => schema({ mode: "string" })), config: free("Config", true) },
);

const exposePath = schema({
  path: "string",
  protocol: "string",
  local_path_port: "number",
  listener_port: "string",
});

const proxy = schema(
  { local_service_address: "string", local_service_port: "number" },
  {
    upstreams: many("Upstreams", () => upstream),
    expose: one("Expose", () => schema({}, { path: many("Paths", () => exposePath) })),
    config: free("Config", true),
    transparent_proxy: one("TransparentProxy", () =>
      schema({
        uid: ["string", "UID"],
        outbound_port: "number",
        exclude_inbound_ports: "strings",
        exclude_outbound_ports: ["any", "ExcludeOutboundPorts"],
        exclude_outbound_cidrs: ["strings", "ExcludeOutboundCIDRs"],
        exclude_uids: ["strings", "ExcludeUIDs"],
        no_dns: ["bool", "NoDNS"],
      }),
    ),
  },
);

const tls = schema(
  {
    enabled: "bool",
    tls_min_version: ["string", "TLSMinVersion"],
    tls_max_version: ["string", "TLSMaxVersion"],
    cipher_suites: "strings",
  },
  { sds: one("SDS", () => schema({ cluster_name: "string", cert_resource: "string" })) },
);

const headers = schema({ remove: "strings" }, { add: free("Add"), set: free("Set") });

const ingressService = schema(
  {
    name: "string",
    hosts: "strings",
    max_connections: "number",
    max_pending_requests: "number",
    max_concurrent_requests: "number",
  },
  {
    tls: one("TLS", () => tls),
    request_headers: one("RequestHeaders", () => headers),
    response_headers: one("ResponseHeaders", () => headers),
  },
);

const gateway = schema(
  {},
  {
    proxy: one("Proxy", () =>
      schema(
        {
          connect_timeout: "duration",
          envoy_gateway_bind_tagged_addresses: "bool",
          envoy_gateway_no_default_bind: "bool",
          envoy_dns_discovery_type: ["string", "EnvoyDNSDiscoveryType"],
        },
        {
          envoy_gateway_bind_addresses: blockMap("EnvoyGatewayBindAddresses", () =>
            schema({ address: "string", port: "number" }),
          ),
          config: free("Config", true),
        },
      ),
    ),
    ingress: one("Ingress", () =>
      schema(
        {},
        {
          tls: one("TLS", () => tls),
          listener: many("Listeners", () =>
            schema(
              { port: "number", protocol: "string" },
              { service: many("Services", () => ingressService) },
            ),
          ),
        },
      ),
    ),
    terminating: one("Terminating", () =>
      schema(
        {},
        {
          service: many("Services", () =>
            schema({
              name: "string",
              ca_file: ["string", "CAFile"],
              cert_file: "string",
              key_file: "string",
              sni: ["string", "SNI"],
            }),
          ),
        },
      ),
    ),
    mesh: one("Mesh", () => schema({})),
  },
);

/** The block `connect` of a service. */
export const connect = schema(
  { native: "bool" },
  {
    sidecar_service: one("SidecarService", () =>
      schema(
        { tags: "strings", port: "string", disable_default_tcp_check: ["bool", "DisableDefaultTCPCheck"] },
        { proxy: one("Proxy", () => proxy), meta: free("Meta") },
      ),
    ),
    sidecar_task: one("SidecarTask", () => sidecarTask),
    gateway: one("Gateway", () => gateway),
  },
);
