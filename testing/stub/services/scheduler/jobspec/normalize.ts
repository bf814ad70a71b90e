import type { GivenGroup, GivenJob, GivenTask } from "../shape/job";

/** A job as the parser returns it: the parser fills in a few members before any default applies. */
export function normalizeJob(job: GivenJob): GivenJob {
  return {
    ...job,
    ...(job.Periodic && { Periodic: { SpecType: "cron", ...job.Periodic } }),
    ...(job.TaskGroups && { TaskGroups: job.TaskGroups.map(group) }),
  };
}

function group(given: GivenGroup): GivenGroup {
  return given.Tasks === undefined ? given : { ...given, Tasks: given.Tasks.map(task) };
}

function task(given: GivenTask): GivenTask {
  return {
    ...given,
    ...(given.Secrets && {
      Secrets: { Env: true, DisableFile: false, ChangeMode: "restart", ...given.Secrets },
    }),
    ...(given.Templates && { Templates: given.Templates.map(template) }),
  };
}

type Template = NonNullable<GivenTask["Templates"]>[number];

function template(given: Template): Template {
  const script = given.ChangeScript;
  return {
    ChangeMode: "restart",
    Perms: "0644",
    Splay: 5_000_000_000,
    ErrMissingKey: false,
    ...given,
    ...(script && {
      ChangeScript: { Timeout: 5_000_000_000, FailOnError: false, RunOnFirstRender: false, ...script },
    }),
  };
}
