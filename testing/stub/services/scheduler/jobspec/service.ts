import { volumeMount } from "./network";
import { identity } from "./policies";
import { resources } from "./resources";
import { free, many, one, schema } from "./schema";

const checkRestart = schema({ limit: "number", grace: "duration", ignore_warnings: "bool" });

const check = schema(
  {
    name: "string",
    type: "string",
    command: "string",
    args: "strings",
    path: "string",
    protocol: "string",
    port: ["string", "PortLabel"],
    expose: "bool",
    address_mode: "string",
    advertise: "string",
    interval: "duration",
    timeout: "duration",
    initial_status: "string",
    notes: "string",
    tls_server_name: ["string", "TLSServerName"],
    tls_skip_verify: ["bool", "TLSSkipVerify"],
    method: "string",
    grpc_service: ["string", "GRPCService"],
    grpc_use_tls: ["bool", "GRPCUseTLS"],
    task: ["string", "TaskName"],
    success_before_passing: "number",
    failures_before_critical: "number",
    failures_before_warning: "number",
    body: "string",
    on_update: "string",
    header: ["any", "Header"],
  },
  { header: free("Header"), check_restart: one("CheckRestart", () => checkRestart) },
);

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

const upstream = schema({
  destination_name: "string",
  destination_namespace: "string",
  destination_peer: "string",
  destination_type: "string",
  local_bind_port: "number",
  local_bind_address: "string",
  datacenter: "string",
});

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
      schema({ uid: ["string", "UID"], outbound_port: "number", no_dns: ["bool", "NoDNS"] }),
    ),
  },
);

const connect = schema(
  { native: "bool" },
  {
    sidecar_service: one("SidecarService", () =>
      schema(
        { tags: "strings", port: "string", disable_default_tcp_check: ["bool", "DisableDefaultTCPCheck"] },
        { proxy: one("Proxy", () => proxy), meta: free("Meta") },
      ),
    ),
    sidecar_task: one("SidecarTask", () => sidecarTask),
    gateway: free("Gateway", true),
  },
);

export const service = schema(
  {
    name: "string",
    port: ["string", "PortLabel"],
    address_mode: "string",
    address: "string",
    enable_tag_override: "bool",
    tags: "strings",
    canary_tags: "strings",
    task: ["string", "TaskName"],
    on_update: "string",
    provider: "string",
    cluster: "string",
    kind: "string",
    meta: "strings-map",
  },
  {
    check: many("Checks", () => check),
    check_restart: one("CheckRestart", () => checkRestart),
    connect: one("Connect", () => connect),
    meta: free("Meta"),
    canary_meta: free("CanaryMeta"),
    tagged_addresses: free("TaggedAddresses"),
    identity: one("Identity", () => identity),
    weights: one("Weights", () => schema({ passing: "number", warning: "number" })),
  },
);
