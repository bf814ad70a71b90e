import { isObject, type Json } from "../../core";

/**
 * Names a job's services as Nomad stores them. Nomad names an unnamed service after the job, the group and the task, and
 * replaces the variables in a name (wire facts). Services match by name, so all these spellings must give the same service.
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
    return typeof name === "string" ? { ...service, Name: interpolate(name, variables) } : service;
  });
}

/** The values of the variables in a service's name. Nomad uses "group" as the task of a group's service. */
function namesFor(job: string, group: string, task: string): ReadonlyMap<string, string> {
  return new Map([
    ["JOB", job],
    ["TASKGROUP", group],
    ["TASK", task],
    ["BASE", `${job}-${group}-${task}`],
  ]);
}

/** Nomad replaces other variables on the node that runs the allocation. */
function interpolate(name: string, variables: ReadonlyMap<string, string>): string {
  return name.replace(
    /\$\{([a-zA-Z0-9_\-.]+)\}/g,
    (whole, variable: string) => variables.get(variable) ?? whole,
  );
}

/** The first of these members that is not empty; undefined if it is not a string or not known yet. */
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
