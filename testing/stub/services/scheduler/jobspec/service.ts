import { connect } from "./connect";
import { identity } from "./policies";
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
