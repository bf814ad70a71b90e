import { isObject, type Json } from "../../core/value/json";

/**
 * A job with its services named as the scheduler names those that have no name: after the job, the group and the task
 * (wire facts). They are found by their names, so that one is the same with and without it.
 */
export function withServiceNames(job: Json): Json {
  if (!isObject(job)) return job;
  const own = nameIn(job, "Name", "ID");
  return own === undefined ? job : withEach(job, "TaskGroups", (group) => groupNamed(group, own));
}

function groupNamed(group: { [member: string]: Json }, job: string): { [member: string]: Json } {
  const own = nameIn(group, "Name");
  if (own === undefined) return group;
  const named = servicesNamed(group, `${job}-${own}`);
  return withEach(named, "Tasks", (task) => {
    const name = nameIn(task, "Name");
    return name === undefined ? task : servicesNamed(task, `${job}-${own}-${name}`);
  });
}

function servicesNamed(owner: { [member: string]: Json }, name: string): { [member: string]: Json } {
  return withEach(owner, "Services", (service) =>
    isNothing(service.Name) ? { ...service, Name: name } : service,
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
