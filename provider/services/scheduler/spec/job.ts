import { z } from "zod";
import {
  evenEmpty,
  field,
  flag,
  integer,
  many,
  one,
  orElse,
  requiredMany,
  sharedObject,
  text,
  textMap,
  texts,
} from "../../../core";
import { group } from "./group";
import { placement, spread } from "./placement";
import { migrate, reschedule, update } from "./policy";

const secretText = (doc: string) => field(z.string().optional(), { doc, secret: true });

/** A job as a typed object (specification: Job (full)), without the members that only Nomad sets. */
export const jobSpec = z.strictObject({
  id: field(z.string().min(1), {
    doc: "Job ID. A change replaces the resource.",
    wire: "ID",
  }),
  name: text("Display name of the job. Default: the job's ID."),
  namespace: text(
    "Namespace of the job, as an alternative to the resource's `namespace`. A change replaces the resource.",
  ),
  region: text("Region of the job, as an alternative to the resource's `region`."),
  type: text("Scheduler type: `service`, `batch`, `system` or `sysbatch`. Default: `service`."),
  priority: integer("Job priority, from 1 to 100; a higher priority is scheduled first. Default: 50."),
  allAtOnce: flag("Place all task groups together, or none."),
  datacenters: field(z.array(z.string()).optional(), {
    doc: "Datacenters where the job may run, in any order. Default: all datacenters.",
    unordered: true,
  }),
  nodePool: text("Node pool where the job runs. Default: `default`."),
  ...placement,
  spreads: many(spread, "Distribution of allocations over node attributes (`spread` blocks)."),
  taskGroups: requiredMany(group, "Task groups of the job (`group` blocks).", ["Name"]),
  update: one(update, "Update strategy for new job versions (`update` block). Task groups inherit it."),
  reschedule: one(
    reschedule,
    "Reschedule policy for failed allocations (`reschedule` block). Task groups inherit it.",
  ),
  migrate: one(migrate, "Migrate strategy for drained nodes (`migrate` block). Task groups inherit it."),
  periodic: one(
    sharedObject("JobPeriodic", {
      enabled: evenEmpty(flag("Launch the job on its schedule. Default: true.")),
      spec: text("Cron schedule of the job, such as `*/15 * * * *` (`cron`)."),
      specs: texts("Several cron schedules, instead of `spec` (`crons`)."),
      specType: orElse("cron", text("Format of the schedule: `cron`.")),
      prohibitOverlap: flag("Skip a launch while an earlier launch still runs."),
      timeZone: text("Time zone of the schedule, such as `Europe/Berlin`. Default: `UTC`."),
    }),
    "Schedule that launches the job periodically (`periodic` block).",
  ),
  parameterizedJob: one(
    sharedObject("JobParameterized", {
      payload: text("Payload of a dispatch: `required`, `optional` or `forbidden`. Default: `optional`."),
      metaRequired: texts("Meta keys that a dispatch must set."),
      metaOptional: texts("Meta keys that a dispatch may set."),
    }),
    "Parameters of a job that runs only when it is dispatched (`parameterized` block).",
  ),
  payload: text("Payload of a dispatched job, encoded as base64."),
  meta: textMap("User-defined metadata (`meta` block)."),
  multiregion: one(
    sharedObject("JobMultiregion", {
      strategy: one(
        sharedObject("JobMultiregionStrategy", {
          maxParallel: integer("Number of regions that deploy at the same time. Default: all regions."),
          onFailure: text("Action if a region fails: `fail_all` or `fail_local`."),
        }),
        "Rollout strategy across regions (`strategy` block).",
      ),
      regions: many(
        sharedObject("JobMultiregionRegion", {
          name: text("Name of a federated region."),
          count: orElse(1, integer("Count of task groups that set no `count`. Default: 1.")),
          datacenters: texts("Datacenters where the job may run in this region."),
          nodePool: text("Node pool where the job runs in this region."),
          meta: textMap("User-defined metadata, which overrides the job's own."),
        }),
        "Regions of the job, in deployment order (`region` blocks).",
      ),
    }),
    "Deployment to several regions (`multiregion` block, Nomad Enterprise).",
  ),
  secretsToken: secretText("Vault token that Nomad uses for the job."),
  secretsNamespace: text("Vault namespace of the job."),
  meshToken: secretText("Consul token that Nomad uses for the job."),
  meshNamespace: text(
    "Consul namespace of the groups and tasks whose `mesh` has none. Nomad 2 does not store it with the job.",
  ),
  stop: evenEmpty(
    flag("Register the job as stopped. Default: false, which also restarts a job that someone else stopped."),
  ),
  ui: one(
    sharedObject("JobUi", {
      description: text("Description of the job, in Markdown."),
      links: many(
        sharedObject("JobUiLink", {
          label: text("Text to show for the link."),
          url: text("Target address of the link."),
        }),
        "Links to show in the Nomad UI (`link` blocks).",
      ),
    }),
    "Description and links for the Nomad UI (`ui` block).",
    "UI",
  ),
});
