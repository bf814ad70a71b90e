import { z } from "zod";
import {
  type Dialect,
  isObject,
  type Json,
  KEY,
  MemberPlace,
  memoByObject,
  ONLY_THERE,
  type Path,
  renameMembers,
  withStoredNames,
} from "../../core";
import { real } from "./service";
import { jobSpec } from "./spec/job";

/** The members of a job that only Nomad sets (wire facts: Server-owned). */
const OF_SERVER = [
  "Status",
  "StatusDescription",
  "Stable",
  "Version",
  "SubmitTime",
  "CreateIndex",
  "ModifyIndex",
  "JobModifyIndex",
  "SchedTokenID",
  "Dispatched",
  "DispatchIdempotencyToken",
  "ParentID",
  "VersionTag",
];
const OF_SCALING = ["ID", "Namespace", "CreateIndex", "ModifyIndex"];

/** The path patterns of the members that only Nomad sets. */
export const setByServer: readonly string[] = [
  ...OF_SERVER,
  ...["TaskGroups.*.Scaling", "TaskGroups.*.Tasks.*.ScalingPolicies.*"].flatMap((policy) =>
    OF_SCALING.map((name) => `${policy}.${name}`),
  ),
];

const anyOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, z.unknown()]));
const scaling = z.object(anyOf(OF_SCALING));
const tasks = z.array(z.object({ scalingPolicies: z.array(scaling) }));
const serverSpec = z.object({ ...anyOf(OF_SERVER), taskGroups: z.array(z.object({ scaling, tasks })) });

/**
 * The members of a job under the names of both dialects. No two of these names differ in case alone, so the rules can
 * read a job whose dialect they do not know.
 */
const jobPlace = new MemberPlace([jobSpec, serverSpec], {
  fold: (name) => name.toLowerCase(),
  otherName: (path) => {
    const name = partInNamesOf(real, path, null).path.at(-1);
    return typeof name === "string" ? name : undefined;
  },
});

/** A job with its members in Nomad's stored case; Nomad's decoder ignores case. */
export const withJobNames = memoByObject((job: { readonly [member: string]: Json }) => {
  const named = withStoredNames(job, jobPlace);
  return isObject(named) ? named : job;
});

/** Translates a job from the names of a dialect to the specification's names. */
export const inModel = memoByObject((dialect: Dialect) =>
  memoByObject((job: { [member: string]: Json }): Json => renameMembers(job, dialect, "specification")),
);

/** Translates a job from the specification's names to the names of a dialect. */
export function inNamesOf(dialect: Dialect, job: Json): Json {
  return renameMembers(job, dialect, "dialect");
}

/** Translates a path and its value from the specification's names to the names of a dialect. */
export function partInNamesOf(dialect: Dialect, path: Path, part: Json): { path: Path; part: Json } {
  const nested = path.reduceRight<Json>(
    (inside, segment) => (isElement(segment) ? [inside] : { [segment]: inside }),
    part,
  );
  let at = inNamesOf(dialect, nested);
  const named = path.map((segment) => {
    const [entry] = Array.isArray(at) ? [[segment, at[0] ?? null] as const] : Object.entries(at ?? {});
    const [name, inside] = entry ?? [segment, null];
    at = inside;
    return name;
  });
  return { path: named, part: at };
}

/** True if a path segment is a list element, by number or by key. */
function isElement(segment: string | number): boolean {
  return typeof segment === "number" || segment.startsWith(KEY) || segment.startsWith(ONLY_THERE);
}
