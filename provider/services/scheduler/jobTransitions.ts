import { isObject, type PlannedChange, parseRecords, UNKNOWN, type Value, type Values } from "../../core";
import { jobOf, knownJobOf } from "./jobForms";

type Job = { readonly [member: string]: Value | undefined };

/** Preview notes about an update that Nomad rejects, because it changes the kind of the job. */
export function transitionNotes({ step, inputs, outputs, replaces = [] }: PlannedChange): string[] {
  // A replacement job may be of any kind.
  const records = step === "update" && replaces.length === 0 ? parseRecords(outputs) : undefined;
  const next = records && jobOf(inputs);
  if (records === undefined || next === undefined) return [];
  const { json } = records.observed;
  const held = isObject(json) ? json : {};
  const applied = knownJobOf(records.lastApplied) ?? {};
  return [
    typeChange(held, next),
    transitionOf("periodic", "Periodic", [held, applied], next),
    transitionOf("parameterized", "ParameterizedJob", [held, applied], next),
  ].flatMap((what) => (what === undefined ? [] : [`Nomad will reject this update: ${what}; ${ADVICE}`]));
}

const ADVICE = "first delete the job with purge: true (pulumi destroy --target), or give it a different ID";

function typeChange(held: Values, next: Job): string | undefined {
  const [was, is] = [held.Type ?? DEFAULT_TYPE, next.Type ?? DEFAULT_TYPE];
  if (is === UNKNOWN || was === is) return undefined;
  return `the type of a job cannot change from ${JSON.stringify(was)} to ${JSON.stringify(is)}`;
}

const DEFAULT_TYPE = "service";

/** The observed job omits empty blocks, so the job that the program wrote counts too. */
function transitionOf(
  kind: string,
  member: string,
  before: readonly Values[],
  next: Job,
): string | undefined {
  if (next[member] === UNKNOWN) return undefined;
  const was = before.some((job) => isThere(job[member]));
  if (was === isThere(next[member])) return undefined;
  return was ? `a ${kind} job cannot become non-${kind}` : `a non-${kind} job cannot become ${kind}`;
}

function isThere(value: Value | undefined): boolean {
  return value !== undefined && value !== null;
}
