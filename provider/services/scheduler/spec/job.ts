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
    doc: "The job's id. Another one is another job, so a change replaces the resource.",
    wire: "ID",
  }),
  name: text("The job's name. Default: its id."),
  namespace: text(
    "The job's namespace; or give the resource's own `namespace`. A change replaces the resource.",
  ),
  region: text("The job's region; or give the resource's own `region`."),
  type: text("`service`, `batch`, `system` or `sysbatch`. Default: `service`."),
  priority: integer("The job's priority, from 1 to 100. Default: 50."),
  allAtOnce: flag("Whether all groups are placed at once, or none."),
  datacenters: field(z.array(z.string()).optional(), {
    doc: "The datacenters in which it may run, in any order. Default: all.",
    unordered: true,
  }),
  nodePool: text("The pool of nodes on which it runs. Default: `default`."),
  ...placement,
  spreads: many(spread, "How allocations are spread."),
  taskGroups: requiredMany(group, "The job's groups.", ["Name"]),
  update: one(update, "How allocations move from one version to the next; handed down to the groups."),
  reschedule: one(reschedule, "How allocations that failed are placed elsewhere; handed down to the groups."),
  migrate: one(migrate, "How allocations leave a node that is drained; handed down to the groups."),
  periodic: one(
    sharedObject("JobPeriodic", {
      enabled: evenEmpty(flag("Whether it is launched by its schedule. Default: true.")),
      spec: text("The schedule, such as `*/15 * * * *`."),
      specs: texts("Several schedules, in place of one."),
      specType: orElse("cron", text("The schedule's language: `cron`.")),
      prohibitOverlap: flag("Whether it is not launched while an earlier launch still runs."),
      timeZone: text("The time zone of the schedule. Default: `UTC`."),
    }),
    "When it is launched.",
  ),
  parameterizedJob: one(
    sharedObject("JobParameterized", {
      payload: text("Whether a dispatch has a payload: `required`, `optional` or `forbidden`."),
      metaRequired: texts("Meta keys that a dispatch must give."),
      metaOptional: texts("Meta keys that a dispatch may give."),
    }),
    "It runs only when it is dispatched, with a payload.",
  ),
  payload: text("The payload of a dispatched job, in base64."),
  meta: textMap("Key-value pairs of the user's own."),
  multiregion: one(
    sharedObject("JobMultiregion", {
      strategy: one(
        sharedObject("JobMultiregionStrategy", {
          maxParallel: integer("How many regions are deployed at a time. Default: all."),
          onFailure: text("What happens if a region fails: `fail_all` or `fail_local`."),
        }),
        "How regions are deployed.",
      ),
      regions: many(
        sharedObject("JobMultiregionRegion", {
          name: text("A region of the federation, by its name."),
          count: orElse(1, integer("The count of groups without one of their own. Default: 1.")),
          datacenters: texts("The datacenters there."),
          nodePool: text("The pool of nodes there."),
          meta: textMap("Key-value pairs of the user's own, over the job's."),
        }),
        "The regions, in the order in which they are deployed.",
      ),
    }),
    "How it is spread over regions (enterprise edition).",
  ),
  secretsToken: secretText("The token with which the secrets service is asked."),
  secretsNamespace: text("The namespace in which the secrets service is asked."),
  meshToken: secretText("The token with which the mesh is asked."),
  meshNamespace: text("The namespace in which the mesh is asked."),
  stop: evenEmpty(
    flag(
      "Whether the job is registered stopped. Default: false, which also starts a job again that somebody stopped.",
    ),
  ),
  ui: one(
    sharedObject("JobUi", {
      description: text("What the job is, in Markdown."),
      links: many(
        sharedObject("JobUiLink", {
          label: text("What people read in its place."),
          url: text("Where it leads."),
        }),
        "Links that those pages show.",
      ),
    }),
    "What the service's own pages show of it.",
    "UI",
  ),
});
