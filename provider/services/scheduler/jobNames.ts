import type { Dialect } from "../../core/language/service";
import { renameMembers } from "../../core/requests/dialect";
import type { Json } from "../../core/value/json";
import { memoByObject } from "../../core/value/memo";
import { KEY, ONLY_THERE, type Path } from "../../core/value/path";

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
