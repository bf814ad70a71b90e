import { isObject, type Json } from "../../core";

/** Removes a scaling target that is the group itself, and a count of 1 if the group has no scaling. */
export function withoutOwnScale(group: Json): Json {
  if (!isObject(group)) return group;
  const { Count: count, Scaling: scaling, ...own } = group;
  if (!isObject(scaling)) return count === 1 ? own : group;
  return { ...group, Scaling: withoutOwnTarget(scaling, { Group: group.Name }) };
}

/** Removes the target of a scaling policy unless it names another group or task: Nomad sets the target itself. */
export function withoutOwnTarget(policy: Json, holder: Readonly<Record<string, Json | undefined>>): Json {
  if (!isObject(policy)) return policy;
  const { Target: target, ...rest } = policy;
  if (!isObject(target)) return policy;
  const isOther = Object.entries(holder).some(([name, value]) => (target[name] ?? value) !== value);
  return isOther ? policy : rest;
}
