import { z } from "zod";
import {
  evenEmpty,
  field,
  flag,
  freeMap,
  integer,
  isObject,
  many,
  one,
  type Spelling,
  sharedObject,
  text,
  textMap,
  texts,
} from "../../../core";
import { gateway, sidecarProxy } from "./connect";
import { duration } from "./duration";
import { identity } from "./identity";
import { volumeMount } from "./placement";
import { logConfig, resources } from "./resources";

/** Nomad returns an empty list under a user's key as null. */
const listsByName: Spelling = {
  doc: "An empty list equals `null`.",
  canonical: (value) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, list]) => [name, list ?? []]))
      : value,
};

const checkRestart = sharedObject("JobCheckRestart", {
  limit: integer("Number of consecutive failures after which the task restarts."),
  grace: evenEmpty(duration("Time after a task start during which failures are ignored. Default: 1 second.")),
  ignoreWarnings: flag("Do not count warnings as failures."),
});

const check = sharedObject("JobCheck", {
  name: text("Name of the check in the service catalog."),
  type: text("Check type: `http`, `tcp`, `script` or `grpc`."),
  command: text("Command of a `script` check."),
  args: texts("Arguments of the command of a `script` check."),
  path: text("URL path of an `http` check."),
  protocol: text("Protocol of an `http` check: `http` or `https`."),
  portLabel: text("Port to check. Default: the port of the service."),
  expose: flag("Expose the path of the check through the sidecar proxy."),
  addressMode: text("Address to check: `alloc`, `driver` or `host`."),
  advertise: text(
    "Address to advertise instead of the checked address. Nomad accepts it but does not store it.",
  ),
  interval: duration("Interval between two checks."),
  timeout: duration("Timeout of a check."),
  initialStatus: text("Status before the first check: `passing`, `warning` or `critical`."),
  notes: text("Notes for operators about the check."),
  tlsServerName: text("Server name for SNI and for the verification of the certificate.", "TLSServerName"),
  tlsSkipVerify: flag("Skip the verification of the certificate.", "TLSSkipVerify"),
  method: text("HTTP method of an `http` check."),
  header: field(z.record(z.string(), z.array(z.string())).optional(), {
    doc: "HTTP headers of the check, each with its values.",
    spelling: listsByName,
  }),
  checkRestart: one(checkRestart, "Restart the task if the check keeps failing (`check_restart` block)."),
  grpcService: text("Name of the gRPC service that a `grpc` check queries.", "GRPCService"),
  grpcUseTls: flag("Use TLS for a `grpc` check.", "GRPCUseTLS"),
  taskName: text("Task in which a `script` check runs."),
  successBeforePassing: integer("Number of consecutive successes before the check is passing."),
  failuresBeforeCritical: integer("Number of consecutive failures before the check is critical."),
  failuresBeforeWarning: integer("Number of consecutive failures before the check is a warning."),
  body: text("Request body of an `http` check."),
  onUpdate: text(
    "Effect on deployments: `require_healthy`, `ignore_warnings` or `ignore`. Default: `require_healthy`.",
  ),
});

const connect = sharedObject("JobConnect", {
  native: flag("Treat the service as Connect native: the task implements the mesh protocol itself."),
  sidecarService: one(
    sharedObject("JobSidecarService", {
      tags: texts("Tags of the sidecar service in Consul."),
      port: text("Port where the sidecar proxy listens."),
      proxy: one(sidecarProxy, "Sidecar proxy settings and upstream services (`proxy` block)."),
      disableDefaultTcpCheck: flag(
        "Do not add the default TCP check of the sidecar.",
        "DisableDefaultTCPCheck",
      ),
      meta: textMap("Metadata of the sidecar service in Consul (`meta` block)."),
    }),
    "Registration of the sidecar service (`sidecar_service` block).",
  ),
  sidecarTask: one(
    sharedObject("JobSidecarTask", {
      name: text("Name of the task that runs the sidecar."),
      driver: text("Task driver, such as `docker`."),
      user: text("User that runs the task."),
      // Open: each driver, including plugins, has its own configuration options.
      config: freeMap("Task driver configuration, passed to the driver unchanged."),
      env: textMap("Environment variables of the task."),
      resources: one(resources, "Resources that the task needs (`resources` block)."),
      meta: textMap("User-defined metadata (`meta` block)."),
      killTimeout: evenEmpty(
        duration("Time between the kill signal and the forced kill. Default: 5 seconds."),
      ),
      logConfig: one(logConfig, "Log settings (`logs` block)."),
      shutdownDelay: evenEmpty(
        duration("Delay between deregistering the service and sending the kill signal."),
      ),
      killSignal: text("Signal that stops the task."),
      volumeMounts: many(volumeMount, "Mounts of the task group's volumes (`volume_mount` blocks)."),
      identities: many(identity, "Workload identities of the task (`identity` blocks)."),
    }),
    "Settings of the sidecar task (`sidecar_task` block).",
  ),
  gateway: one(gateway, "Gateway that the service represents (`gateway` block)."),
});

/** A service that Nomad registers for a group or a task (specification: Job (full), Services). */
export const service = sharedObject("JobService", {
  name: text("Name of the service. Default: the names of job, group and task, joined by dashes."),
  taskName: text("Task that implements a service of the task group."),
  portLabel: text("Port label or port number of the service (`port`)."),
  addressMode: text("Address to register: `auto`, `alloc`, `driver` or `host`. Default: `auto`."),
  address: text("Custom address to register instead of the detected address."),
  enableTagOverride: flag("Allow changes to the tags in the Consul catalog."),
  tags: texts("Tags of the service in the catalog."),
  canaryTags: texts("Tags of the service while the allocation is a canary."),
  checks: many(check, "Health checks of the service (`check` blocks)."),
  checkRestart: one(
    checkRestart,
    "Restart the task if a check keeps failing (`check_restart` block). Checks inherit this block.",
  ),
  connect: one(connect, "Consul service mesh settings (`connect` block)."),
  meta: textMap("User-defined metadata (`meta` block)."),
  canaryMeta: textMap("Metadata of the service while the allocation is a canary (`canary_meta` block)."),
  weights: one(
    sharedObject("JobServiceWeights", {
      passing: integer("Weight while the checks pass. Default: 1."),
      warning: integer("Weight while a check has the status warning. Default: 1."),
    }),
    "Weights of the instance in DNS SRV responses (`weights` block).",
  ),
  taggedAddresses: textMap(
    "Additional addresses of the service in Consul, by tag (`tagged_addresses` block).",
  ),
  namespace: text("Consul namespace of the service. Nomad sets it from the job or task group."),
  onUpdate: text(
    "Effect on deployments: `require_healthy`, `ignore_warnings` or `ignore`. Default: `require_healthy`.",
  ),
  provider: text("Service catalog: `consul` or `nomad`. Default: `consul`."),
  cluster: text("Consul cluster that the service is registered in. Default: `default`."),
  identity: one(identity, "Workload identity for Consul (`identity` block)."),
  kind: text("Consul service kind, such as `api-gateway`."),
});

/** Services match by name and port, because one name may have several ports. */
export const services = (doc: string) => many(service, doc, ["Name", "PortLabel"]);
