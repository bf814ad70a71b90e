import type { Values } from "../../core/language/object";
import type { Body, Updated } from "../../core/language/writes";
import { isObject, type Json } from "../../core/value/json";
import { scaledGroups } from "./jobDocument";
import { knownJobOf } from "./jobForms";

/**
 * Groups that an autoscaler owns keep the count just read, unless the program itself changed its count. Where the
 * program moved the bounds, the count moves as far as it must: the service takes none outside of them.
 */
export function withCountsRead(body: Body, { applied, current }: Updated): Body {
  const scaled = new Set(scaledGroups(body));
  const groups = Array.isArray(body.TaskGroups) ? body.TaskGroups : [];
  const before = knownJobOf(applied);
  const counted = groups.map((group) => {
    if (!isObject(group) || !scaled.has(String(group.Name))) return group;
    const isEdited = before !== undefined && countIn(before, group.Name) !== group.Count;
    const there = countIn(current, group.Name);
    return isEdited || there === undefined ? group : { ...group, Count: within(group.Scaling, there) };
  });
  return { ...body, TaskGroups: counted };
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
