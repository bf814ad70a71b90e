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

/** What only the service sets in a job (wire facts: Server-owned). */
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

/** The patterns of the members that only the service sets. */
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

/** A job whose members have the case in which Nomad stores them; Nomad's decoder finds them in any case. */
export const withJobNames = memoByObject((job: { readonly [member: string]: Json }) => {
  const named = withStoredNames(job, jobPlace);
  return isObject(named) ? named : job;
});

/** A job that is written in the names of a dialect, in the specification's names. */
export const inModel = memoByObject((dialect: Dialect) =>
  memoByObject((job: { [member: string]: Json }): Json => renameMembers(job, dialect, "specification")),
);

/** A job in the specification's names, in the names of a dialect. */
export function inNamesOf(dialect: Dialect, job: Json): Json {
  return renameMembers(job, dialect, "dialect");
}

/** Where a path into a job in the specification's names leads in the names of a dialect, and the value that it leads to. */
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

/** Whether a segment is an element of a list, by its number or its key. */
function isElement(segment: string | number): boolean {
  return typeof segment === "number" || segment.startsWith(KEY) || segment.startsWith(ONLY_THERE);
}
