import fc from "fast-check";
import { Invalid } from "../../../provider/core/http/errors";
import type { Values } from "../../../provider/core/language/object";
import { ConflictError } from "../../../provider/core/state/errors";
import { Resource } from "../../steps/resource";
import { compatible } from "../../steps/stories";
import type { Edit, Subject } from "../../steps/subject";
import { reset, UNUSED_DIRECTORY } from "../reset";
import { type Named, together } from "../subjects";
import { separateJobs } from "../subjects/jobForms";
import { directoryConfigOf, loginEnforcementOf } from "../subjects/secrets";

/**
 * Replacements for subjects that conflict with others on one server: a job of each form, and a separate LDAP
 * directory.
 */
const SEPARATE_SUBJECTS: Readonly<Record<string, readonly Named[]>> = {
  "scheduler:Job": separateJobs,
  "secrets:DirectoryConfig": [["secrets:DirectoryConfig", directoryConfigOf(UNUSED_DIRECTORY)]],
};

/** Every subject of this run's server. All of them run at the same time, so that one failover affects all of them. */
export const allSubjects: readonly Named[] = together.flatMap(
  (named) => SEPARATE_SUBJECTS[named[0]] ?? [named],
);

/** A subject with the programs and the edit of its stories. */
export interface Part {
  readonly token: string;
  readonly subject: Subject;
  readonly first: Values;
  /** A program that updates the object of the first program. */
  readonly second: Values;
  /** An edit that is drift, and a conflict, under both programs. */
  readonly edit: Edit;
  /** The ID of the object, if its address contains it. */
  readonly id: string;
  /** Whether a list returns exactly the existing objects. */
  readonly isListed: boolean;
}

/**
 * Objects that OpenBao deletes only from memory, so that they exist again on the next active server. Each story uses
 * an object with a different name.
 */
const RESTORED_BY_FAILOVER: Readonly<Record<string, (name: string) => Subject>> = {
  "secrets:LoginEnforcement": loginEnforcementOf,
};

/** Whether a deleted object may exist again on the next active server. */
export function isRestoredByFailover({ token }: Part): boolean {
  return RESTORED_BY_FAILOVER[token] !== undefined;
}

let storyCount = 0;

/** The part for a further story. */
export function freshPart(part: Part): Part {
  const subjectOf = RESTORED_BY_FAILOVER[part.token];
  if (subjectOf === undefined) return part;
  storyCount += 1;
  const name = `story-${storyCount}`;
  const [first, second] = [
    { ...part.first, name },
    { ...part.second, name },
  ];
  return { ...part, subject: subjectOf(name), first, second, id: name, isListed: false };
}

/** The number of programs that are searched for two that are compatible with an edit. */
const SAMPLES = 60;

/** Finds two programs and an edit for the stories, on a complete cluster. */
export async function findPart(named: Named): Promise<Part> {
  const [token, subject] = named;
  const programs = fc.sample(compatible(subject), SAMPLES);
  const edits = fc.sample(subject.edits, SAMPLES);
  for (const [at, edit] of edits.entries()) {
    // Both samples begin with the same seed: the edit at an index often has the values of the program at this index.
    const [first, second] = [programs[(at + 1) % SAMPLES], programs[(at + 2) % SAMPLES]];
    if (first === undefined || second === undefined) continue;
    const id = await idIfCompatible(subject, first, second, edit).catch((error: unknown) => {
      // A program may name an object that this server does not have.
      if (error instanceof Invalid) return undefined;
      throw error;
    });
    if (id !== undefined)
      return { token, subject, first, second, edit, id, isListed: !separateJobs.includes(named) };
  }
  throw new Error(`${token}: no two of its programs go with an edit`);
}

/** The ID of the object if the edit is drift under both programs, and a conflict for an update and for a delete. */
async function idIfCompatible(
  subject: Subject,
  first: Values,
  second: Values,
  edit: Edit,
): Promise<string | undefined> {
  await reset();
  const world = await subject.world();
  const resource = new Resource(world, subject.definition);
  if (resource.check(first).length > 0 || resource.check(second).length > 0) return undefined;
  await resource.create(first);
  const { id } = resource;
  const { changes } = resource.preview(second);
  if (changes.length === 0 || changes.some(({ replaces }) => replaces)) return undefined;
  await subject.edit(world, resource, edit);
  if (!(await isConflict(resource.update(second)))) return undefined;
  await resource.refresh();
  if (resource.preview(first).changes.length === 0) return undefined;
  await resource.up(second);
  await subject.edit(world, resource, edit);
  if (subject.takeAway && !(await isConflict(resource.delete()))) return undefined;
  await resource.refresh();
  return resource.preview(second).changes.length > 0 ? id : undefined;
}

async function isConflict(step: Promise<unknown>): Promise<boolean> {
  try {
    await step;
    return false;
  } catch (error) {
    if (error instanceof ConflictError) return true;
    throw error;
  }
}
