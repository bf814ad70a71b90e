import { scheduleOf } from "../cron";
import type { Job } from "../shape/job";
import type { World } from "../world";
import { messagesOfBroken, nestErrors, repeatedNames } from "./errors";
import { groupErrors } from "./group";
import { affinityErrors, constraintErrors, spreadErrors } from "./policies";

/** All validation errors of a job, in Nomad's wording. */
export function jobErrors(job: Job, world: World): readonly string[] {
  const groups = job.TaskGroups ?? [];
  return [
    ...messagesOfBroken([
      [
        !world.namespaces.has(job.Namespace),
        `job "${job.ID}" is in nonexistent namespace "${job.Namespace}"`,
      ],
      [!world.nodePools.has(job.NodePool), `job "${job.ID}" is in nonexistent node pool "${job.NodePool}"`],
      [job.ID === "", "Missing job ID"],
      [job.ID.includes(" "), "Job ID contains a space"],
      [job.ID.includes("\0"), "Job ID contains a null character"],
      [job.Name === "", "Missing job name"],
      [job.Name.includes("\0"), "Job Name contains a null character"],
      [!JOB_TYPES.has(job.Type), `Invalid job type: "${job.Type}"`],
      [(job.Datacenters ?? []).includes(""), "Job datacenter must be non-empty string"],
      [
        job.Priority < 1 || job.Priority > GREATEST_PRIORITY,
        `job priority must be between [1, ${GREATEST_PRIORITY}]`,
      ],
      [groups.length === 0, "Missing job task groups"],
    ]),
    ...constraintErrors(job.Constraints),
    ...(job.Type === "system"
      ? messagesOfBroken([
          [job.Affinities !== null, "System jobs may not have an affinity block"],
          [job.Spreads !== null, "System jobs may not have a spread block"],
        ])
      : [...affinityErrors(job.Affinities), ...spreadErrors(job.Spreads)]),
    ...groups.flatMap((group, index) =>
      messagesOfBroken([
        [group.Name === "", `Job task group ${index + 1} missing name`],
        [(group.ShutdownDelay ?? 0) < 0, "ShutdownDelay must be a positive value"],
        [
          job.Type === "system" && group.Count > 1,
          `Job task group ${group.Name} has count ${group.Count}. Count cannot exceed 1 with system scheduler`,
        ],
      ]),
    ),
    ...repeatedNames(groups.map((group) => group.Name)).map(
      ({ name, at, first }) => `Job task group ${at} redefines '${name}' from group ${first}`,
    ),
    ...groups.flatMap((group) =>
      nestErrors(`Task group ${group.Name} validation failed`, groupErrors(group, job)),
    ),
    ...periodicErrors(job),
    ...parameterizedErrors(job),
  ];
}

const JOB_TYPES = new Set(["service", "batch", "system", "sysbatch"]);
const GREATEST_PRIORITY = 100;

function periodicErrors({ Periodic: periodic, Type: type }: Job): readonly string[] {
  if (periodic?.Enabled !== true) return [];
  const specs = [...(periodic.Spec === "" ? [] : [periodic.Spec]), ...(periodic.Specs ?? [])];
  return messagesOfBroken([
    [!LAUNCHED.has(type), 'Periodic can only be used with "batch" or "sysbatch" scheduler'],
    [periodic.Spec !== "" && periodic.Specs !== null, "Only cron or crons may be used"],
    [specs.length === 0, "Must specify a spec"],
    [
      !isTimeZone(periodic.TimeZone),
      `Invalid time zone "${periodic.TimeZone}": unknown time zone ${periodic.TimeZone}`,
    ],
    [periodic.SpecType !== "cron", `Unknown periodic specification type "${periodic.SpecType}"`],
    ...specs.map(
      (spec) =>
        [
          scheduleOf(spec) === undefined,
          `Invalid cron spec "${spec}": syntax error in cron expression`,
        ] as const,
    ),
  ]);
}

function parameterizedErrors({ ParameterizedJob: parameterized, Type: type }: Job): readonly string[] {
  if (parameterized === null) return [];
  const optional = new Set(parameterized.MetaOptional);
  const both = (parameterized.MetaRequired ?? []).filter((key) => optional.has(key));
  return messagesOfBroken([
    [!LAUNCHED.has(type), 'Parameterized job can only be used with "batch" or "sysbatch" scheduler'],
    [
      !["optional", "required", "forbidden"].includes(parameterized.Payload),
      `Unknown payload requirement: "${parameterized.Payload}"`,
    ],
    [
      both.length > 0,
      `Required and optional meta keys should be disjoint. Following keys exist in both: [${both.join(" ")}]`,
    ],
  ]);
}

const LAUNCHED = new Set(["batch", "sysbatch"]);

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The error for a change that a stored job does not allow. */
export function transitionError(stored: Job, next: Job): string | undefined {
  if (stored.Type !== next.Type) return `cannot update job from type "${stored.Type}" to "${next.Type}"`;
  return (
    changeError("periodic", stored.Periodic !== null, next.Periodic !== null) ??
    changeError("parameterized", stored.ParameterizedJob !== null, next.ParameterizedJob !== null)
  );
}

function changeError(kind: string, was: boolean, is: boolean): string | undefined {
  if (was === is) return undefined;
  return was
    ? `cannot update ${kind} job to being non-${kind}`
    : `cannot update non-${kind} job to being ${kind}`;
}
