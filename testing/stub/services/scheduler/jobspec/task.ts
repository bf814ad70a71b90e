import { volumeMount } from "./network";
import { placement } from "./placement";
import { identity, mesh, restart, scaling, secrets } from "./policies";
import { logs, resources } from "./resources";
import { free, many, one, schema } from "./schema";
import { service } from "./service";

const template = schema(
  {
    source: ["string", "SourcePath"],
    destination: ["string", "DestPath"],
    data: ["string", "EmbeddedTmpl"],
    change_mode: "string",
    change_signal: "string",
    once: "bool",
    splay: "duration",
    perms: "string",
    uid: "number",
    gid: "number",
    left_delimiter: ["string", "LeftDelim"],
    right_delimiter: ["string", "RightDelim"],
    env: ["bool", "Envvars"],
    error_on_missing_key: ["bool", "ErrMissingKey"],
  },
  {
    change_script: one("ChangeScript", () =>
      schema({
        command: "string",
        args: "strings",
        timeout: "duration",
        fail_on_error: "bool",
        run_on_first_render: "bool",
      }),
    ),
    wait: one("Wait", () => schema({ min: "duration", max: "duration" })),
  },
);

const artifact = schema(
  {
    source: ["string", "GetterSource"],
    options: ["strings-map", "GetterOptions"],
    headers: ["strings-map", "GetterHeaders"],
    mode: ["string", "GetterMode"],
    insecure: ["bool", "GetterInsecure"],
    destination: ["string", "RelativeDest"],
    chown: "bool",
  },
  { options: free("GetterOptions"), headers: free("GetterHeaders") },
);

const csiPlugin = schema({
  id: ["string", "ID"],
  type: "string",
  mount_dir: "string",
  stage_publish_base_dir: "string",
  health_timeout: "duration",
});

/** The block's label is its name. */
export const secretBlock = schema(
  { provider: "string", path: "string" },
  { config: free("Config", true), env: free("Env") },
);

export const task = schema(
  {
    driver: "string",
    user: "string",
    kill_timeout: "duration",
    kill_signal: "string",
    shutdown_delay: "duration",
    leader: "bool",
    kind: "string",
    config: ["any", "Config"],
    env: ["strings-map", "Env"],
    meta: ["strings-map", "Meta"],
  },
  {
    ...placement,
    config: free("Config", true),
    env: free("Env"),
    meta: free("Meta"),
    service: many("Services", () => service),
    vault: one("Secrets", () => secrets),
    secret: many("SecretBlocks", () => secretBlock, "Name"),
    consul: one("Mesh", () => mesh),
    template: many("Templates", () => template),
    resources: one("Resources", () => resources),
    restart: one("RestartPolicy", () => restart),
    dispatch_payload: one("DispatchPayload", () => schema({ file: "string" })),
    schedule: one("Schedule", () =>
      schema({}, { cron: one("Cron", () => schema({ start: "string", end: "string", timezone: "string" })) }),
    ),
    lifecycle: one("Lifecycle", () => schema({ hook: "string", sidecar: "bool" })),
    logs: one("LogConfig", () => logs),
    artifact: many("Artifacts", () => artifact),
    volume_mount: many("VolumeMounts", () => volumeMount),
    scaling: many("ScalingPolicies", () => scaling, "Type"),
    csi_plugin: one("CSIPluginConfig", () => csiPlugin),
    identity: many("Identities", () => identity),
    action: many("Actions", () => schema({ command: "string", args: "strings" }), "Name"),
  },
);
