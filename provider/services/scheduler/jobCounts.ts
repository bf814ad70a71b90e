import { type Body, isObject, type Json, stringIn, type UpdateInput, type Values } from "../../core";
import { scaledGroups } from "./jobDocument";
import { knownJobOf } from "./jobForms";

/**
 * Keeps the count just read for groups that an autoscaler owns, unless the program itself changed the count. Clamps that
 * count to the group's bounds, because Nomad rejects counts outside them.
 */
export function withCountsRead(body: Body, { applied, current }: UpdateInput): Body {
  const floating = new Set(floatingGroups(body, applied));
  const groups = Array.isArray(body.TaskGroups) ? body.TaskGroups : [];
  const counted = groups.map((group) => {
    if (!isObject(group) || !floating.has(stringIn(group.Name))) return group;
    const there = countIn(current, group.Name);
    return there === undefined ? group : { ...group, Count: within(group.Scaling, there) };
  });
  return { ...body, TaskGroups: counted };
}

/** The groups whose count an autoscaler owns and the program does not change. */
export function floatingGroups(job: Values, applied: Values): string[] {
  const before = knownJobOf(applied);
  return scaledGroups(job).filter(
    (name) => before === undefined || countIn(before, name) === countIn(job, name),
  );
}

function within(scaling: Json | undefined, count: Json): Json {
  if (!isObject(scaling) || typeof count !== "number") return count;
  const { Min, Max } = scaling;
  const atLeast = typeof Min === "number" ? Math.max(Min, count) : count;
  return typeof Max === "number" ? Math.min(Max, atLeast) : atLeast;
}

function countIn(job: Values | undefined, name: Json | undefined): Json | undefined {
  const list = Array.isArray(job?.TaskGroups) ? job.TaskGroups : [];
  const group = list.find((candidate) => isObject(candidate) && candidate.Name === name);
  return isObject(group) ? group.Count : undefined;
}
