import type { Values } from "../../provider/core/language/object";
import { carryingList } from "../../provider/core/requests/shared/inList";
import { Resource } from "../steps/resource";
import type { Edit, Subject } from "../steps/subject";
import { failureOf, up } from "./commands";
import { type Course, courseOf } from "./course";
import { dumped } from "./dumped";
import { aboutObjects } from "./othersDeeds";
import { Process } from "./process";
import { anotherThan, hasSeveralWays, programsOf, sampled } from "./samples";
import { FIXED, STEERED, WAITED_FOR } from "./steered";
import { changed, created, deleted, refreshed, refreshedByList, type Written } from "./stretches";
import type { Life, Tried } from "./tried";
import { type Change, changeableIn, groupsLeft } from "./updates";

/** The fault tests of an object. */
export function triedObject(subject: Subject): Tried {
  const { definition, takeAway } = subject;
  const tried: Tried = {
    definition,
    world: () => subject.world(),
    lives: () => livesOf(tried, subject),
    edit: (world, resource, edit) => subject.edit(world, resource, edit),
    // Some objects can only be deleted with their parent, and no program can create them again.
    ...(takeAway && !subject.isTakenAway && { takeAway }),
    ...aboutObjects[definition.token],
  };
  return tried;
}

async function livesOf(tried: Tried, subject: Subject): Promise<readonly Life[]> {
  const { definition } = subject;
  const programs = programsOf(subject);
  const [first = {}] = programs;
  const compatible = sampled(subject.compatible ?? subject.programs);
  const [goesWith = {}] = compatible;
  const isOneWay = !hasSeveralWays(subject);
  const creates = programs.map((program) => managed(created(program)));
  const updates = programs.flatMap((program, index) => {
    const next = compatible[(index + 1) % compatible.length] ?? {};
    return [update(program, compatible[index] ?? {}), update(compatible[index] ?? {}, next)];
  });
  const known = await differing(tried, isOneWay ? updates.slice(0, 6) : updates);
  const lives = [
    ...(isOneWay ? creates.slice(0, 1) : await differing(tried, creates)),
    ...known,
    ...(await updatesLeft(tried, subject, known)),
    managed(refreshed(first)),
    imported(first),
    ...deletes(subject, first),
    ...("adopt" in definition.fields
      ? [
          adopted(anotherThan(goesWith, compatible), goesWith),
          takingIdentical(managed(created((await shownAsWritten(subject, programs)) ?? first))),
        ]
      : []),
    ...replacements(subject, first),
    ...waits(subject, first, goesWith),
    ...(carryingList(definition.life.reads) ? [managed(refreshedByList(first))] : []),
  ];
  return Promise.all(lives.map(async (life) => ({ ...life, edit: await editFor(subject, life) })));
}

/** An update for each group of fields that no known update changes. */
async function updatesLeft(
  tried: Tried,
  subject: Subject,
  known: readonly ObjectLife[],
): Promise<ObjectLife[]> {
  const { definition, isFixed } = subject;
  const moves = known.map(({ managed: [, [from = {}, to = {}] = []] }): Change => [from, to]);
  const programs = [...sampled(subject.compatible ?? subject.programs), ...programsOf(subject)];
  const lives: ObjectLife[] = [];
  for (const { fields, changes } of await groupsLeft(subject, programs, moves)) {
    const name = `update of ${fields.map((field) => field.name).join(", ")}`;
    for (const [from, to] of changes) {
      const life = { ...update(from, to), name };
      if (!(await isWritten(tried, life))) continue;
      lives.push(life);
      break;
    }
  }
  const canChange = !isFixed && changeableIn(definition).length > 0;
  if (canChange && known.length + lives.length === 0)
    throw new Error(`no update of a ${definition.token} is known`);
  return lives;
}

/** Whether the scenario succeeds and sends a write. */
async function isWritten(tried: Tried, life: Life): Promise<boolean> {
  const { requests, told } = await courseOf(tried, life).catch(() => NO_COURSE);
  return told === undefined && requests.some(({ isRead }) => !isRead);
}

const NO_COURSE: Pick<Course, "requests" | "told"> = { requests: [], told: undefined };

/** The scenarios that send a request that no earlier one sends; always the first of each kind. */
async function differing(tried: Tried, lives: readonly ObjectLife[]): Promise<ObjectLife[]> {
  const known = new Set<string>();
  const chosen: ObjectLife[] = [];
  for (const life of lives) {
    const requests = await requestsOf(tried, life);
    if (requests.length === 0 || requests.every((one) => known.has(one))) continue;
    for (const one of requests) known.add(one);
    chosen.push({
      ...life,
      name: chosen.length === 0 ? life.name : `${life.name}, variant ${chosen.length + 1}`,
    });
  }
  return chosen;
}

/** The requests of a scenario without a fault. Repeated requests are numbered. */
async function requestsOf(tried: Tried, life: Life): Promise<string[]> {
  const { requests, told } = await courseOf(tried, life);
  if (told !== undefined) throw new Error(`${life.name} does not come to its end: ${String(told)}`);
  const times = new Map<string, number>();
  return requests.map(({ method, target }) => {
    const kind = `${method} ${target.replace(/\?.*/s, "").replace(MADE_ID, "id")}`;
    times.set(kind, (times.get(kind) ?? 0) + 1);
    return `${kind} ${times.get(kind)}`;
  });
}

const MADE_ID = /\b(ws|tag)-\w{10,}/g;

/** A scenario before its edit is known, and the programs under which the edit must be drift. */
interface ObjectLife extends Written {
  readonly managed: readonly (readonly Values[])[];
}

/** A scenario whose edit must be drift under each of these programs, applied in order. Default: its own program. */
const managed = (life: Written, ...managed: readonly (readonly Values[])[]): ObjectLife => ({
  ...life,
  managed: managed.length === 0 ? [[life.program]] : managed,
});

/** A resource of another user, in a separate process. */
function another({ world, definition }: Resource): Resource {
  return new Resource(world.another(), definition);
}

const update = (from: Values, to: Values): ObjectLife => managed(changed(from, to), [from], [from, to]);

const adopted = (theirs: Values, ours: Values): ObjectLife => {
  const program = { ...ours, adopt: true };
  const before: Life["before"] = (resource) => another(resource).create(theirs);
  return managed({ ...created(program), kind: "adopt", name: "adopt", before }, [ours]);
};

/** The first program whose values the service returns as written, so that an identical object can be recognized. */
async function shownAsWritten(
  { definition, world: open }: Subject,
  programs: readonly Values[],
): Promise<Values | undefined> {
  for (const program of programs) {
    const world = await open();
    await new Resource(world.another(), definition).create(program);
    const resource = new Resource(world, definition);
    resource.adoptsIdentical = true;
    if ((await failureOf(resource.create(program))) === undefined) return program;
  }
  return undefined;
}

/** A create in a stack that adopts identical objects. */
const takingIdentical = (life: ObjectLife): ObjectLife => ({
  ...life,
  name: "create that adopts an identical object",
  takesIdentical: true,
});

/** An import by the id. The program is the result of the read. */
const imported = (theirs: Values): ObjectLife => {
  const { program: _, ...own } = managed({
    kind: "import",
    name: "import",
    program: theirs,
    async before(resource) {
      const other = another(resource);
      await other.create(theirs);
      resource.id = other.id;
    },
    command: (resource) => resource.get(resource.id),
  });
  // The import writes the program.
  return own as ObjectLife;
};

function deletes({ definition }: Subject, program: Values): ObjectLife[] {
  const isOther = (steered: Values) =>
    Object.entries(steered).some(([name, value]) => program[name] !== value);
  const others = (STEERED[definition.token] ?? []).filter(isOther).map((steered) => ({
    ...managed(deleted({ ...program, ...steered })),
    name: `delete with ${Object.keys(steered).join()} ${Object.values(steered).join()}`,
  }));
  return [managed(deleted(program)), ...others];
}

function waits({ definition }: Subject, first: Values, next: Values): ObjectLife[] {
  return (WAITED_FOR[definition.token] ?? []).flatMap((waited) => {
    const what = Object.values(waited).join();
    return [
      { ...managed(created({ ...first, ...waited })), name: `create, waiting for its ${what}`, isWait: true },
      { ...update(first, { ...next, ...waited }), name: `update, waiting for its ${what}`, isWait: true },
    ];
  });
}

function replacements({ definition }: Subject, first: Values): ObjectLife[] {
  const fixed = FIXED[definition.token];
  if (fixed === undefined) return [];
  return [{ ...update(first, { ...first, ...fixed }), kind: "replace", name: "replace" }];
}

/** An edit that a refresh shows, before the command and after it; undefined if there is none. */
async function editFor(subject: Subject, { managed }: ObjectLife): Promise<Edit | undefined> {
  if (subject.isFixed) return undefined;
  for (const edit of sampled(subject.edits)) {
    const shows = await Promise.all(managed.map((programs) => isShown(subject, programs, edit)));
    if (shows.every(Boolean)) return edit;
  }
  return undefined;
}

async function isShown(subject: Subject, programs: readonly Values[], edit: Edit): Promise<boolean> {
  const { resource, world, time } = Process.first(await subject.world(), subject.definition);
  // Some programs wait for a result of the service.
  for (const program of programs) await time.until(up(resource, program));
  const before = dumped(world.stub.dump());
  try {
    await subject.edit(world, resource, edit);
  } catch {
    return false;
  }
  if (dumped(world.stub.dump()) === before || !(await time.until(resource.refresh()))) return false;
  return resource.preview(programs.at(-1) ?? {}).changes.length > 0;
}
