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
  name: "map of lists",
  canonical: (value) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, list]) => [name, list ?? []]))
      : value,
};

const checkRestart = sharedObject("JobCheckRestart", {
  limit: integer("After how many failures in a row the task is restarted."),
  grace: evenEmpty(duration("How long after a start failures do not count.")),
  ignoreWarnings: flag("Whether warnings do not count as failures."),
});

const check = sharedObject("JobCheck", {
  name: text("The name under which the catalog shows the check."),
  type: text("How it is checked: `http`, `tcp`, `script` or `grpc`."),
  command: text("The command, with `script`."),
  args: texts("The arguments of that command, with `script`."),
  path: text("The path, with `http`."),
  protocol: text("What is spoken, with `http`: `http` or `https`."),
  portLabel: text("The port that is checked; the service's where none is given."),
  expose: flag("Whether the path is exposed through the sidecar."),
  addressMode: text("Which address is checked: `alloc`, `driver` or `host`."),
  advertise: text(
    "An address that is told in place of the checked one. Services so far take it, and keep nothing of it.",
  ),
  interval: duration("How long between two checks."),
  timeout: duration("How long one may take."),
  initialStatus: text("What holds before the first: `passing`, `warning` or `critical`."),
  notes: text("What people should know of the check."),
  tlsServerName: text("The host name that the certificate is verified for.", "TLSServerName"),
  tlsSkipVerify: flag("Whether the certificate is not verified.", "TLSSkipVerify"),
  method: text("The method, with `http`."),
  header: field(z.record(z.string(), z.array(z.string())).optional(), {
    doc: "Headers, each with its values.",
    spelling: listsByName,
  }),
  checkRestart: one(checkRestart, "When a failing check restarts the task."),
  grpcService: text("The service that is asked, with `grpc`.", "GRPCService"),
  grpcUseTls: flag("Whether TLS is used, with `grpc`.", "GRPCUseTLS"),
  taskName: text("The task in which a script runs."),
  successBeforePassing: integer("How many successes in a row make it passing."),
  failuresBeforeCritical: integer("How many failures in a row make it critical."),
  failuresBeforeWarning: integer("How many failures in a row make it a warning."),
  body: text("The body, with `http`."),
  onUpdate: text("How it counts in a deployment: `require_healthy`, `ignore_warnings` or `ignore`."),
});

const connect = sharedObject("JobConnect", {
  native: flag("Whether the task speaks the mesh's protocol itself."),
  sidecarService: one(
    sharedObject("JobSidecarService", {
      tags: texts("Tags with which the sidecar's service is registered."),
      port: text("The port on which the sidecar listens."),
      proxy: one(sidecarProxy, "What the proxy does, and which other services it reaches."),
      disableDefaultTcpCheck: flag("Whether no check of the sidecar is added.", "DisableDefaultTCPCheck"),
      meta: textMap("Meta values of the sidecar's service."),
    }),
    "The sidecar's registration.",
  ),
  sidecarTask: one(
    sharedObject("JobSidecarTask", {
      name: text("The name of the task that is the sidecar."),
      driver: text("What runs it, such as `docker`."),
      user: text("As whom it runs."),
      // Open: each driver, including plugins, has its own configuration options.
      config: freeMap("The driver's own configuration."),
      env: textMap("Environment variables that it is given."),
      resources: one(resources, "What it needs of a node."),
      meta: textMap("Key-value pairs of the user's own."),
      killTimeout: evenEmpty(duration("How long it has between the signal and the kill.")),
      logConfig: one(logConfig, "How its logs are kept."),
      shutdownDelay: evenEmpty(duration("How long to wait between deregistering and the signal.")),
      killSignal: text("The signal that asks it to stop."),
      volumeMounts: many(volumeMount, "Where it sees the group's volumes."),
      identities: many(identity, "The workload identities that it is given."),
    }),
    "The task that is the sidecar.",
  ),
  gateway: one(gateway, "The gateway that the service is."),
});

/** A service that Nomad registers for a group or a task (specification: Job (full), Services). */
export const service = sharedObject("JobService", {
  name: text("The service's name. Default: job, group and task, joined by dashes."),
  taskName: text("The task that it belongs to, in a service of a group."),
  portLabel: text("The port's label, or a number."),
  addressMode: text("Which address is registered: `auto`, `alloc`, `driver` or `host`."),
  address: text("An address that is registered in place of the own one."),
  enableTagOverride: flag("Whether others may change the tags in the catalog."),
  tags: texts("Tags with which it is registered in the catalog."),
  canaryTags: texts("Tags while it is a canary."),
  checks: many(check, "How its health is checked."),
  checkRestart: one(checkRestart, "When a failing check restarts the task; handed down to the checks."),
  connect: one(connect, "How it takes part in the mesh."),
  meta: textMap("Key-value pairs of the user's own."),
  canaryMeta: textMap("Meta values while it is a canary."),
  weights: one(
    sharedObject("JobServiceWeights", {
      passing: integer("Its weight while its checks pass."),
      warning: integer("Its weight while one of its checks warns."),
    }),
    "How much it counts in answers about the service.",
  ),
  taggedAddresses: textMap("Further addresses, by their tags."),
  namespace: text("The catalog's namespace, as the service found it."),
  onUpdate: text("How it counts in a deployment: `require_healthy`, `ignore_warnings` or `ignore`."),
  provider: text("Whose catalog it is registered in: the mesh's, or the scheduler's own."),
  cluster: text("The cluster of the mesh in which it is registered."),
  identity: one(identity, "Its identity towards the catalog."),
  kind: text("The kind of service, such as `api-gateway`."),
});

/** Services match by name and port, because one name may have several ports. */
export const services = (doc: string) => many(service, doc, ["Name", "PortLabel"]);
