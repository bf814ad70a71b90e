import type { Values } from "../../provider/core/language/object";
import { carryingList } from "../../provider/core/requests/shared/inList";
import { Resource } from "../steps/resource";
import type { Edit, Subject } from "../steps/subject";
import { failureOf, up } from "./commands";
import { dumped } from "./dump";
import type { FaultSubject, Scenario } from "./faultSubject";
import { objectChanges } from "./otherUsersActions";
import { Process } from "./process";
import { anotherThan, hasSeveralWays, programsOf, sampled } from "./samples";
import { runScenario, type ScenarioRun } from "./scenarioRun";
import {
  createScenario,
  deleteScenario,
  listRefreshScenario,
  type ProgramScenario,
  refreshScenario,
  updateScenario,
} from "./scenarios";
import { type Change, untestedGroups, updatableFields } from "./updates";
import { FIXED, STEERED, WAITED_FOR } from "./variants";

/** The fault tests of an object. */
export function faultSubjectOf(subject: Subject): FaultSubject {
  const { definition, takeAway } = subject;
  const tried: FaultSubject = {
    definition,
    world: () => subject.world(),
    lives: () => scenariosOf(tried, subject),
    edit: (world, resource, edit) => subject.edit(world, resource, edit),
    // Some objects can only be deleted with their parent, and no program can create them again.
    ...(takeAway && !subject.isTakenAway && { takeAway }),
    ...objectChanges[definition.token],
  };
  return tried;
}

async function scenariosOf(tried: FaultSubject, subject: Subject): Promise<readonly Scenario[]> {
  const { definition } = subject;
  const programs = programsOf(subject);
  const [first = {}] = programs;
  const compatible = sampled(subject.compatible ?? subject.programs);
  const [goesWith = {}] = compatible;
  const isOneWay = !hasSeveralWays(subject);
  const creates = programs.map((program) => scenario(createScenario(program)));
  const updates = programs.flatMap((program, index) => {
    const next = compatible[(index + 1) % compatible.length] ?? {};
    return [update(program, compatible[index] ?? {}), update(compatible[index] ?? {}, next)];
  });
  const known = await withDifferentRequests(tried, isOneWay ? updates.slice(0, 6) : updates);
  const lives = [
    ...(isOneWay ? creates.slice(0, 1) : await withDifferentRequests(tried, creates)),
    ...known,
    ...(await missingUpdates(tried, subject, known)),
    scenario(refreshScenario(first)),
    importScenario(first),
    ...deletes(subject, first),
    ...("adopt" in definition.fields
      ? [
          adoptScenario(anotherThan(goesWith, compatible), goesWith),
          identicalScenario(scenario(createScenario((await shownAsWritten(subject, programs)) ?? first))),
        ]
      : []),
    ...replacements(subject, first),
    ...waits(subject, first, goesWith),
    ...(carryingList(definition.life.reads) ? [scenario(listRefreshScenario(first))] : []),
  ];
  return Promise.all(lives.map(async (life) => ({ ...life, edit: await visibleEdit(subject, life) })));
}

/** An update for each group of fields that no known update changes. */
async function missingUpdates(
  tried: FaultSubject,
  subject: Subject,
  known: readonly ObjectScenario[],
): Promise<ObjectScenario[]> {
  const { definition, isFixed } = subject;
  const moves = known.map(({ managed: [, [from = {}, to = {}] = []] }): Change => [from, to]);
  const programs = [...sampled(subject.compatible ?? subject.programs), ...programsOf(subject)];
  const lives: ObjectScenario[] = [];
  for (const { fields, changes } of await untestedGroups(subject, programs, moves)) {
    const name = `update of ${fields.map((field) => field.name).join(", ")}`;
    for (const [from, to] of changes) {
      const life = { ...update(from, to), name };
      if (!(await sendsWrite(tried, life))) continue;
      lives.push(life);
      break;
    }
  }
  const canChange = !isFixed && updatableFields(definition).length > 0;
  if (canChange && known.length + lives.length === 0)
    throw new Error(`no update of a ${definition.token} is known`);
  return lives;
}

/** Whether the scenario succeeds and sends a write. */
async function sendsWrite(tried: FaultSubject, life: Scenario): Promise<boolean> {
  const { requests, failure } = await runScenario(tried, life).catch(() => NO_COURSE);
  return failure === undefined && requests.some(({ isRead }) => !isRead);
}

const NO_COURSE: Pick<ScenarioRun, "requests" | "failure"> = { requests: [], failure: undefined };

/** The scenarios that send a request that no earlier one sends; always the first of each kind. */
async function withDifferentRequests(
  tried: FaultSubject,
  lives: readonly ObjectScenario[],
): Promise<ObjectScenario[]> {
  const known = new Set<string>();
  const chosen: ObjectScenario[] = [];
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
async function requestsOf(tried: FaultSubject, life: Scenario): Promise<string[]> {
  const { requests, failure } = await runScenario(tried, life);
  if (failure !== undefined) throw new Error(`${life.name} does not come to its end: ${String(failure)}`);
  const times = new Map<string, number>();
  return requests.map(({ method, target }) => {
    const kind = `${method} ${target.replace(/\?.*/s, "").replace(MADE_ID, "id")}`;
    times.set(kind, (times.get(kind) ?? 0) + 1);
    return `${kind} ${times.get(kind)}`;
  });
}

const MADE_ID = /\b(ws|tag)-\w{10,}/g;

/** A scenario before its edit is known, and the programs under which the edit must be drift. */
interface ObjectScenario extends ProgramScenario {
  readonly managed: readonly (readonly Values[])[];
}

/** A scenario whose edit must be drift under each of these programs, applied in order. Default: its own program. */
const scenario = (life: ProgramScenario, ...managed: readonly (readonly Values[])[]): ObjectScenario => ({
  ...life,
  managed: managed.length === 0 ? [[life.program]] : managed,
});

/** A resource of another user, in a separate process. */
function otherUsersResource({ world, definition }: Resource): Resource {
  return new Resource(world.another(), definition);
}

const update = (from: Values, to: Values): ObjectScenario =>
  scenario(updateScenario(from, to), [from], [from, to]);

const adoptScenario = (existing: Values, ours: Values): ObjectScenario => {
  const program = { ...ours, adopt: true };
  const before: Scenario["before"] = (resource) => otherUsersResource(resource).create(existing);
  return scenario({ ...createScenario(program), kind: "adopt", name: "adopt", before }, [ours]);
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
const identicalScenario = (life: ObjectScenario): ObjectScenario => ({
  ...life,
  name: "create that adopts an identical object",
  adoptsIdentical: true,
});

/** An import by the ID. The program is the result of the read. */
const importScenario = (existing: Values): ObjectScenario => {
  const { program: _, ...own } = scenario({
    kind: "import",
    name: "import",
    program: existing,
    async before(resource) {
      const other = otherUsersResource(resource);
      await other.create(existing);
      resource.id = other.id;
    },
    command: (resource) => resource.get(resource.id),
  });
  // The import writes the program.
  return own as ObjectScenario;
};

function deletes({ definition }: Subject, program: Values): ObjectScenario[] {
  const isOther = (steered: Values) =>
    Object.entries(steered).some(([name, value]) => program[name] !== value);
  const others = (STEERED[definition.token] ?? []).filter(isOther).map((steered) => ({
    ...scenario(deleteScenario({ ...program, ...steered })),
    name: `delete with ${Object.keys(steered).join()} ${Object.values(steered).join()}`,
  }));
  return [scenario(deleteScenario(program)), ...others];
}

function waits({ definition }: Subject, first: Values, next: Values): ObjectScenario[] {
  return (WAITED_FOR[definition.token] ?? []).flatMap((waited) => {
    const what = Object.values(waited).join();
    return [
      {
        ...scenario(createScenario({ ...first, ...waited })),
        name: `create, waiting for its ${what}`,
        waits: true,
      },
      { ...update(first, { ...next, ...waited }), name: `update, waiting for its ${what}`, waits: true },
    ];
  });
}

function replacements({ definition }: Subject, first: Values): ObjectScenario[] {
  const fixed = FIXED[definition.token];
  if (fixed === undefined) return [];
  return [{ ...update(first, { ...first, ...fixed }), kind: "replace", name: "replace" }];
}

/** An edit that a refresh shows, before the command and after it; undefined if there is none. */
async function visibleEdit(subject: Subject, { managed }: ObjectScenario): Promise<Edit | undefined> {
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
