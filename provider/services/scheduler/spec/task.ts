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
  role: text("Vault role of the token."),
  policies: texts("Vault policies of the token. Nomad 2 ignores them: use `role`."),
  namespace: text("Vault namespace."),
  cluster: text("Name of the Vault cluster. Default: `default`."),
  env: orElse(true, flag("Expose the Vault token as an environment variable. Default: true.")),
  disableFile: flag("Do not write the Vault token to a file."),
  changeMode: orElse(
    "restart",
    text("Action after the task gets a new Vault token: `restart`, `signal` or `noop`. Default: `restart`."),
  ),
  changeSignal: evenEmpty(
    signal("Signal to send to the task with `changeMode` `signal`. Default: `SIGHUP`."),
  ),
  allowTokenExpiration: flag("Let the Vault token expire instead of renewing it."),
});

const secretBlock = sharedObject("JobSecretBlock", {
  name: field(z.string().min(1), {
    doc: "Name of the secret, unique within the task: letters, digits and underscores.",
  }),
  provider: text("Secrets provider: `nomad`, `vault`, or the name of a plugin on the clients."),
  path: text("Path of the secret at the provider."),
  // Open: each provider has its own options.
  config: freeMap("Provider options, for `nomad` and `vault`."),
  env: textMap("Environment variables for the plugin."),
});

/** The mesh settings of a group or a task. */
export const mesh = sharedObject("JobMesh", {
  namespace: text("Consul namespace."),
  cluster: text("Name of the Consul cluster. Default: `default`."),
  partition: text("Consul admin partition."),
});

/** A task (specification: Job (full), Task). */
export const task = sharedObject("JobTask", {
  name: field(z.string().min(1), { doc: "Name of the task, unique within the task group." }),
  driver: field(z.string().min(1), { doc: "Task driver: `docker`, `exec`, `raw_exec`, `java`…" }),
  user: text("User that runs the task."),
  // Open: each driver, including plugins, has its own configuration options.
  config: freeMap("Task driver configuration (`config` block), passed to the driver unchanged."),
  env: textMap("Environment variables of the task (`env` block)."),
  services: services("Services to register for the task (`service` blocks)."),
  secrets: one(secrets, "Vault access of the task (`vault` block)."),
  secretBlocks: many(secretBlock, "Secrets to fetch before the task starts (`secret` blocks).", ["Name"]),
  mesh: one(mesh, "Consul settings of the task (`consul` block)."),
  templates: many(template, "Files to render for the task (`template` blocks)."),
  ...placement,
  resources: one(resources, "Resources that the task needs (`resources` block)."),
  restartPolicy: one(
    restart,
    "Restart policy of the task (`restart` block). Default: the policy of the task group.",
  ),
  dispatchPayload: one(
    sharedObject("JobDispatchPayload", {
      file: text("File for the payload, relative to the task's `local` directory."),
    }),
    "Location of the dispatch payload (`dispatch_payload` block).",
  ),
  lifecycle: one(
    sharedObject("JobLifecycle", {
      hook: text("Phase in which the task runs: `prestart`, `poststart` or `poststop`."),
      sidecar: flag("Keep the task running as long as the main tasks run."),
    }),
    "Lifecycle of a task that is not a main task (`lifecycle` block).",
  ),
  meta: textMap("User-defined metadata (`meta` block)."),
  killTimeout: evenEmpty(duration("Time between the kill signal and the forced kill. Default: 5 seconds.")),
  killSignal: text("Signal that stops the task."),
  logConfig: one(logConfig, "Log settings (`logs` block)."),
  artifacts: many(artifact, "Files to download for the task (`artifact` blocks)."),
  leader: flag("Stop the other tasks of the group when this task ends."),
  shutdownDelay: duration("Delay between deregistering the task's services and sending the kill signal."),
  volumeMounts: many(volumeMount, "Mounts of the task group's volumes (`volume_mount` blocks)."),
  scalingPolicies: many(scaling, "Scaling policies for the task's resources (`scaling` blocks)."),
  kind: text("Task kind for Consul service mesh, such as `connect-proxy:<service>`."),
  csiPluginConfig: one(
    sharedObject("JobCsiPlugin", {
      id: text("Plugin ID that volumes refer to.", "ID"),
      type: text("Part of the CSI plugin: `node`, `controller` or `monolith`."),
      mountDir: text("Directory in the task for the plugin's Unix socket."),
      stagePublishBaseDir: text("Directory where the plugin stages and publishes volumes."),
      healthTimeout: duration(
        "Time that the plugin may be unhealthy before Nomad restarts it. Default: 30 seconds.",
      ),
    }),
    "CSI plugin that the task runs (`csi_plugin` block).",
    "CSIPluginConfig",
  ),
  identity: one(identity, "Default workload identity of the task."),
  identities: many(identity, "Additional workload identities of the task (`identity` blocks)."),
  actions: many(
    sharedObject("JobAction", {
      name: text("Name that runs the action."),
      command: text("Program to run."),
      args: texts("Arguments of the program."),
    }),
    "Commands that an operator may run in the task (`action` blocks).",
  ),
  schedule: one(
    sharedObject("JobTaskSchedule", {
      cron: one(
        sharedObject("JobTaskCron", {
          start: text("Start time, as a cron expression."),
          end: text("End time, as the first two fields of a cron expression."),
          timezone: text("Time zone of start and end. Default: the time zone of the node."),
        }),
        "Cron schedule (`cron` block).",
      ),
    }),
    "Time-based execution of the task (`schedule` block, Nomad Enterprise).",
  ),
});
