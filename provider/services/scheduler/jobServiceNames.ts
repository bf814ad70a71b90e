import { isObject, type Json } from "../../core";

/**
 * A job with its services named as Nomad stores them: a service without a name is called after the job, the group and the
 * task, and the variables of a name are replaced (wire facts). Services are found by their names, so one is the same in
 * each of these spellings.
 */
export function withServiceNames(job: Json): Json {
  if (!isObject(job)) return job;
  const own = nameIn(job, "Name", "ID");
  return own === undefined ? job : withEach(job, "TaskGroups", (group) => groupNamed(group, own));
}

function groupNamed(group: { [member: string]: Json }, job: string): { [member: string]: Json } {
  const own = nameIn(group, "Name");
  if (own === undefined) return group;
  const named = servicesNamed(group, `${job}-${own}`, namesFor(job, own, "group"));
  return withEach(named, "Tasks", (task) => {
    const name = nameIn(task, "Name");
    if (name === undefined) return task;
    return servicesNamed(task, `${job}-${own}-${name}`, namesFor(job, own, name));
  });
}

function servicesNamed(
  owner: { [member: string]: Json },
  usual: string,
  variables: ReadonlyMap<string, string>,
): { [member: string]: Json } {
  return withEach(owner, "Services", (service) => {
    const name = isNothing(service.Name) ? usual : service.Name;
    return typeof name === "string" ? { ...service, Name: interpolated(name, variables) } : service;
  });
}

/** What the variables of a service's name stand for; Nomad calls the task of a group's service "group". */
function namesFor(job: string, group: string, task: string): ReadonlyMap<string, string> {
  return new Map([
    ["JOB", job],
    ["TASKGROUP", group],
    ["TASK", task],
    ["BASE", `${job}-${group}-${task}`],
  ]);
}

/** Other variables are replaced where an allocation runs. */
function interpolated(name: string, variables: ReadonlyMap<string, string>): string {
  return name.replace(
    /\$\{([a-zA-Z0-9_\-.]+)\}/g,
    (whole, variable: string) => variables.get(variable) ?? whole,
  );
}

/** The first of these members that says anything; undefined where it is no text, or not known yet. */
function nameIn(owner: { [member: string]: Json }, ...members: readonly string[]): string | undefined {
  const value = members.map((member) => owner[member]).find((candidate) => !isNothing(candidate));
  return typeof value === "string" ? value : undefined;
}

function isNothing(value: Json | undefined): boolean {
  return value === undefined || value === null || value === "";
}

function withEach(
  owner: { [member: string]: Json },
  member: string,
  change: (element: { [member: string]: Json }) => { [member: string]: Json },
): { [member: string]: Json } {
  const list = owner[member];
  if (!Array.isArray(list)) return owner;
  return { ...owner, [member]: list.map((element) => (isObject(element) ? change(element) : element)) };
}
