import { z } from "zod";
import {
  evenEmpty,
  field,
  flag,
  freeMap,
  many,
  one,
  orElse,
  sharedObject,
  text,
  textMap,
  texts,
} from "../../../core";
import { duration } from "./duration";
import { artifact, template } from "./files";
import { identity } from "./identity";
import { placement, volumeMount } from "./placement";
import { restart, scaling } from "./policy";
import { logConfig, resources } from "./resources";
import { services } from "./service";
import { signal } from "./signal";

const secrets = sharedObject("JobSecrets", {
  role: text("The role with which its token is made."),
  policies: texts("The token's policies."),
  namespace: text("The namespace of the secrets service."),
  cluster: text("The secrets service's cluster."),
  env: orElse(true, flag("Whether the token stands in an environment variable.")),
  disableFile: flag("Whether the token stands in no file."),
  changeMode: orElse(
    "restart",
    text("What happens when the token is renewed: `restart`, `signal` or `noop`."),
  ),
  changeSignal: evenEmpty(signal("The signal, with `signal`.")),
  allowTokenExpiration: flag("Whether the token is not renewed."),
});

const secretBlock = sharedObject("JobSecretBlock", {
  name: field(z.string().min(1), {
    doc: "The secret's name, unique in its task: letters, digits and underscores.",
  }),
  provider: text("Who fetches it: `nomad`, `vault`, or a plugin of the clients."),
  path: text("Where the provider finds it."),
  // Open: each provider has its own options.
  config: freeMap("Options of the providers `nomad` and `vault`."),
  env: textMap("Environment variables that a plugin is given."),
});

/** The mesh settings of a group or a task. */
export const mesh = sharedObject("JobMesh", {
  namespace: text("The namespace of the mesh that it speaks with."),
  cluster: text("The cluster of the mesh that it speaks with."),
  partition: text("The admin partition of the mesh that it speaks with."),
});

/** A task (specification: Job (full), Task). */
export const task = sharedObject("JobTask", {
  name: field(z.string().min(1), { doc: "The task's name, unique in its group." }),
  driver: field(z.string().min(1), { doc: "What runs it: `docker`, `exec`, `raw_exec`, `java`…" }),
  user: text("As whom it runs."),
  // Open: each driver, including plugins, has its own configuration options.
  config: freeMap("The driver's own configuration: keys and values are the driver's, and are left alone."),
  env: textMap("Environment variables that it is given."),
  services: services("The services that it offers."),
  secrets: one(secrets, "How it gets a token of the secrets service."),
  secretBlocks: many(
    secretBlock,
    "The job file's `secret` blocks: secrets that are fetched before it starts.",
    ["Name"],
  ),
  mesh: one(mesh, "How it speaks with the mesh."),
  templates: many(template, "Files that are rendered for it."),
  ...placement,
  resources: one(resources, "What it needs of a node."),
  restartPolicy: one(restart, "How it is restarted; the group's where nothing is said."),
  dispatchPayload: one(
    sharedObject("JobDispatchPayload", { file: text("The file, in the task's directory.") }),
    "Where it finds what the job was dispatched with.",
  ),
  lifecycle: one(
    sharedObject("JobLifecycle", {
      hook: text("When it runs: `prestart`, `poststart` or `poststop`."),
      sidecar: flag("Whether it goes on running beside the main tasks."),
    }),
    "When it runs, if not as a main task.",
  ),
  meta: textMap("Key-value pairs of the user's own."),
  killTimeout: evenEmpty(duration("How long it has between the signal and the kill.")),
  killSignal: text("The signal that asks it to stop."),
  logConfig: one(logConfig, "How its logs are kept."),
  artifacts: many(artifact, "Files that are fetched for it."),
  leader: flag("Whether the group's other tasks are stopped when it ends."),
  shutdownDelay: duration("How long to wait between deregistering its services and the signal."),
  volumeMounts: many(volumeMount, "Where it sees the group's volumes."),
  scalingPolicies: many(scaling, "How its resources are scaled."),
  kind: text("The kind of task, such as `connect-proxy:<service>`."),
  csiPluginConfig: one(
    sharedObject("JobCsiPlugin", {
      id: text("The id by which volumes name the plugin.", "ID"),
      type: text("Which part of the plugin it is: `node`, `controller` or `monolith`."),
      mountDir: text("Where the plugin expects its socket."),
      stagePublishBaseDir: text("Where it stages volumes."),
      healthTimeout: duration("How long it may be unhealthy before it is restarted."),
    }),
    "It is a plugin for volumes.",
    "CSIPluginConfig",
  ),
  identity: one(identity, "Its default identity."),
  identities: many(identity, "Its further identities."),
  actions: many(
    sharedObject("JobAction", {
      name: text("The name by which the action is called."),
      command: text("The program that is run."),
      args: texts("The arguments of that program."),
    }),
    "Commands that an operator may run in it, by name.",
  ),
  schedule: one(
    sharedObject("JobTaskSchedule", {
      cron: one(
        sharedObject("JobTaskCron", {
          start: text("When it starts, as a cron expression."),
          end: text("When it ends, as the first two fields of a cron expression."),
          timezone: text("The time zone of both. Default: the node's."),
        }),
        "By the clock.",
      ),
    }),
    "When it runs (enterprise edition).",
  ),
});
