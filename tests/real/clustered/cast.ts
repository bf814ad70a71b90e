import fc from "fast-check";
import type { Values } from "../../../provider/core/language/object";
import { ConflictError } from "../../../provider/core/state/errors";
import { Resource } from "../../steps/resource";
import { compatible } from "../../steps/stories";
import type { Edit, Subject } from "../../steps/subject";
import { APART, reset } from "../reset";
import { type Named, together } from "../subjects";
import { jobsApart } from "../subjects/jobForms";
import { directoryConfigOf, loginEnforcementOf } from "../subjects/secrets";

/** Subjects in place of one that cannot be lived beside others: a job of each form, a directory that is nobody's. */
const BESIDE: Readonly<Record<string, readonly Named[]>> = {
  "scheduler:Job": jobsApart,
  "secrets:DirectoryConfig": [["secrets:DirectoryConfig", directoryConfigOf(APART)]],
};

/** Every subject of the server of this run: all are lived at once, so that one end of a server meets them all. */
export const company: readonly Named[] = together.flatMap((named) => BESIDE[named[0]] ?? [named]);

/** A subject with the programs and the edit of its stories. */
export interface Part {
  readonly token: string;
  readonly subject: Subject;
  readonly first: Values;
  /** An update of the first. */
  readonly second: Values;
  /** Shows under both, and is in conflict with both. */
  readonly edit: Edit;
  /** What the object is called, where its address says it. */
  readonly id: string;
  /** Whether a list shows what is there, and nothing else. */
  readonly isListed: boolean;
}

/**
 * What a server deletes from its memory alone, so that it is there again with the next active one: each story has one of
 * a name of its own.
 */
const COMING_BACK: Readonly<Record<string, (name: string) => Subject>> = {
  "secrets:LoginEnforcement": loginEnforcementOf,
};

/** Whether what a server has deleted may be there again with the next active one. */
export function comesBack({ token }: Part): boolean {
  return COMING_BACK[token] !== undefined;
}

let names = 0;

/** The part for one more story. */
export function anew(part: Part): Part {
  const subjectOf = COMING_BACK[part.token];
  if (subjectOf === undefined) return part;
  names += 1;
  const name = `story-${names}`;
  const [first, second] = [
    { ...part.first, name },
    { ...part.second, name },
  ];
  return { ...part, subject: subjectOf(name), first, second, id: name, isListed: false };
}

/** How many programs are looked through for two that go with an edit. */
const CANDIDATES = 60;

/** Finds programs and an edit that make stories: what each does is looked at on the whole cluster. */
export async function rehearsed(named: Named): Promise<Part> {
  const [token, subject] = named;
  const programs = fc.sample(compatible(subject), CANDIDATES);
  const edits = fc.sample(subject.edits, CANDIDATES);
  for (const [at, edit] of edits.entries()) {
    const [first, second] = [programs[at], programs[(at + 1) % CANDIDATES]];
    if (first === undefined || second === undefined) continue;
    const id = await idWhereTold(subject, first, second, edit);
    if (id !== undefined)
      return { token, subject, first, second, edit, id, isListed: !jobsApart.includes(named) };
  }
  throw new Error(`${token}: no two of its programs go with an edit`);
}

/** The object's id, where the edit shows under both programs, and is in conflict with an update and with a delete. */
async function idWhereTold(
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
