import { network, volume } from "./network";
import { placement, spread } from "./placement";
import { disconnect, mesh, migrate, reschedule, restart, scaling, update } from "./policies";
import { blockMap, free, many, one, schema } from "./schema";
import { service } from "./service";
import { secretBlock, task } from "./task";

const ephemeralDisk = schema({ sticky: "bool", size: ["number", "SizeMB"], migrate: "bool" });

const group = schema(
  {
    count: "number",
    shutdown_delay: "duration",
    max_run_duration: "duration",
    stop_after_client_disconnect: "duration",
    max_client_disconnect: "duration",
    prevent_reschedule_on_lost: "bool",
    meta: ["strings-map", "Meta"],
  },
  {
    ...placement,
    spread: many("Spreads", () => spread),
    task: many("Tasks", () => task, "Name"),
    secret: many("SecretBlocks", () => secretBlock, "Name"),
    update: one("Update", () => update),
    migrate: one("Migrate", () => migrate),
    restart: one("RestartPolicy", () => restart),
    reschedule: one("ReschedulePolicy", () => reschedule),
    disconnect: one("Disconnect", () => disconnect),
    scaling: one("Scaling", () => scaling),
    ephemeral_disk: one("EphemeralDisk", () => ephemeralDisk),
    network: many("Networks", () => network),
    service: many("Services", () => service),
    volume: blockMap("Volumes", () => volume),
    consul: one("Mesh", () => mesh),
    meta: free("Meta"),
  },
);

const periodic = schema({
  enabled: "bool",
  cron: ["string", "Spec"],
  crons: ["strings", "Specs"],
  prohibit_overlap: "bool",
  time_zone: "string",
});

const multiregion = schema(
  {},
  {
    strategy: one("Strategy", () => schema({ max_parallel: "number", on_failure: "string" })),
    region: many(
      "Regions",
      () => schema({ count: "number", datacenters: "strings", node_pool: "string" }, { meta: free("Meta") }),
      "Name",
    ),
  },
);

const parameterized = schema({ payload: "string", meta_required: "strings", meta_optional: "strings" });

const ui = schema(
  { description: "string" },
  { link: many("Links", () => schema({ label: "string", url: "string" })) },
);

/** The block `job` of a job specification; its label is the job's ID. */
export const jobBlock = schema(
  {
    id: ["string", "ID"],
    name: "string",
    region: "string",
    namespace: "string",
    type: "string",
    priority: "number",
    all_at_once: "bool",
    datacenters: "strings",
    node_pool: "string",
    secrets_token: "string",
    vault_token: ["string", "SecretsToken"],
    mesh_token: "string",
    consul_token: ["string", "MeshToken"],
    meta: ["strings-map", "Meta"],
  },
  {
    ...placement,
    spread: many("Spreads", () => spread),
    group: many("TaskGroups", () => group, "Name"),
    task: many("Tasks", () => task, "Name"),
    secret: many("SecretBlocks", () => secretBlock, "Name"),
    update: one("Update", () => update),
    migrate: one("Migrate", () => migrate),
    reschedule: one("Reschedule", () => reschedule),
    periodic: one("Periodic", () => periodic),
    parameterized: one("ParameterizedJob", () => parameterized),
    ui: one("UI", () => ui),
    multiregion: one("Multiregion", () => multiregion),
    meta: free("Meta"),
  },
);
