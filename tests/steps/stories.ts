import fc from "fast-check";
import { withChanges } from "../../provider/core/diff/queries";
import { remediesOf } from "../../provider/core/http/remedies";
import type { HttpRequest, HttpResponse } from "../../provider/core/http/request";
import type { Values } from "../../provider/core/language/object";
import { plannedChanges } from "../../provider/core/state/changes";
import { ConflictError, PartialError } from "../../provider/core/state/errors";
import { pendingInputs } from "../../provider/core/state/records";
import { Counter } from "../counter";
import { capabilityOf } from "../faults/capability";
import { falseClaimIn, type Message, messageOf } from "../faults/claims";
import type { Sent } from "../faults/wire";
import { BY_LIST } from "./byList";
import { differingLeaves, leavesOf } from "./leaves";
import { Resource } from "./resource";
import type { Edit, Subject } from "./subject";
import { type Fate, idOf, type World } from "./world";

/** The steps that the programs have run. */
const steps = new Counter("steps");

/** An event of a story. An edit with `at` happens just before the request of that number in the next step. */
export type Event =
  | { readonly kind: "up"; readonly who: 0 | 1; readonly program: Values; readonly overwrites: boolean }
  | { readonly kind: "refresh"; readonly who: 0 | 1 }
  | { readonly kind: "edit"; readonly edit: Edit }
  | { readonly kind: "edit within"; readonly edit: Edit; readonly at: number }
  | { readonly kind: "loss within"; readonly fate: Fate; readonly at: number }
  | { readonly kind: "end within"; readonly end: End; readonly isCarriedOut: boolean; readonly at: number };

/** How a step ends early: it is canceled, or its process is killed. */
type End = "canceled" | "killed";

const answered = (status: number, isCarriedOut: boolean): Fate => ({
  answer: { status, text: `<html>${status}</html>` },
  isCarriedOut,
});

/** The possible fates of a request. */
const fates = fc.constantFrom<Fate>(
  "request lost",
  "response lost",
  "request hangs",
  "response hangs",
  ...[200, 502, 503].flatMap((status) => [answered(status, true), answered(status, false)]),
);

/** Programs that are valid together with any properties that a previous program left unmanaged. */
export const compatible = (subject: Subject) => subject.compatible ?? subject.programs;

/** Stories of two programs and another user that change one object, in any order. */
export function events(subject: Subject, withLosses: boolean): fc.Arbitrary<readonly Event[]> {
  const who = fc.constantFrom<0 | 1>(0, 1);
  const up = fc.record({
    kind: fc.constant("up" as const),
    who,
    program: compatible(subject),
    overwrites: fc.constantFrom(false, false, false, true),
  });
  const refresh = fc.record({ kind: fc.constant("refresh" as const), who });
  const edit = fc.record({ kind: fc.constant("edit" as const), edit: subject.edits });
  const within = fc.record({
    kind: fc.constant("edit within" as const),
    edit: subject.edits,
    at: fc.nat(4),
  });
  const loss = fc.record({
    kind: fc.constant("loss within" as const),
    fate: fates,
    at: fc.nat(4),
  });
  const end = fc.record({
    kind: fc.constant("end within" as const),
    end: fc.constantFrom<End>("canceled", "killed"),
    isCarriedOut: fc.boolean(),
    at: fc.nat(4),
  });
  const kinds: fc.Arbitrary<Event>[] = [up, up, refresh, edit, within];
  return fc.array(fc.oneof(...kinds, ...(withLosses ? [loss, end] : [])), { minLength: 3, maxLength: 12 });
}

/** An event at a request of a step. */
interface Happening {
  readonly at: number;
  readonly isEdit?: boolean;
  run?(): Promise<Fate>;
  readonly end?: Extract<Event, { kind: "end within" }>;
}

/** A request of a step, and how many lines the step had logged by then. */
interface Noted extends Sent {
  readonly line: number;
}

/** The authors of the object's changes, in order. */
type Changes = (Actor | "a person")[];

/** A program with its own state. Each of its writes and messages is checked. */
class Actor {
  world: World;
  resource: Resource;
  readonly overwritten: string[] = [];
  /** Messages that were wrong. */
  readonly lies: string[] = [];
  /** The events of the next step. */
  pending: Happening[] = [];
  private readonly sent = new Map<HttpRequest, Noted>();
  private canceling = new AbortController();
  private die: () => void = () => undefined;
  /** The number of changes at its last read of the object. */
  private seenUntil = 0;
  private wasRead = false;
  private readonly reader: Resource;
  private before = new Map<string, string>();
  private overwrites = false;

  constructor(
    readonly subject: Subject,
    world: World,
    readonly changes: Changes,
  ) {
    this.world = world.another();
    this.resource = new Resource(this.world, subject.definition);
    this.reader = new Resource(world.another(), subject.definition);
  }

  async adopt(program: Values): Promise<void> {
    await this.resource.create({ ...program, adopt: true });
  }

  /** Runs a step, which may fail with a conflict, a partial failure, or an error of a lost request. */
  async run(step: () => Promise<unknown>, overwrites: boolean, program?: Values): Promise<void> {
    if (program) this.program = JSON.stringify(program);
    this.sent.clear();
    this.overwrites = overwrites;
    const known = this.known;
    // Keep the log of this process: a restart replaces the world.
    const { notices } = this.world;
    const line = notices.length;
    this.canceling = new AbortController();
    this.resource.signal = this.canceling.signal;
    steps.add();
    try {
      const killed = new Promise<"killed">((resolve) => {
        this.die = () => resolve("killed");
      });
      if ((await Promise.race([step(), killed])) === "killed") this.restart();
    } catch (error) {
      const isExpected = error instanceof ConflictError || error instanceof PartialError;
      if (!isExpected && !isLoss(error)) throw error;
      this.checkMessage(messageOf(error as Error), Number.POSITIVE_INFINITY);
    } finally {
      this.pending = [];
      delete this.resource.signal;
      notices.slice(line).forEach((message, index) => {
        this.checkMessage(message, line + index);
      });
      this.known = new Set([...known, ...this.knownNow(), ...(await this.alsoOurs())]);
    }
  }

  /** The values of the other actor's identical program, which an unverified pending write treats as its own. */
  private async alsoOurs(): Promise<string[]> {
    const last = this.changes.at(-1);
    const isSame = last instanceof Actor && last.program === this.program;
    if (this.resource.record.pending?.kind !== "unverified" || !isSame) return [];
    return [...(await this.readStored())].map(([path, value]) => `${path}=${value}`);
  }

  /** Its program, as JSON text. */
  private program = "";

  /** Notes that it has read the complete object, except links that none of its programs has managed. */
  hasRead(): void {
    const { life } = this.subject.definition;
    if (life.links.length === 0) this.seenUntil = this.changes.length;
  }

  /** Starts a new process with the state from before the step. */
  private restart(): void {
    const { id, outputs, inputs, isHalfDone } = this.resource;
    this.world = this.world.another();
    this.resource = new Resource(this.world, this.subject.definition);
    Object.assign(this.resource, { id, outputs, inputs, isHalfDone });
    this.watch();
  }

  /** Compares a message with the requests that were applied before it. */
  private checkMessage(message: Message, line: number): void {
    const requests = [...this.sent.values()].filter((each) => each.line <= line);
    const hasOtherUser = this.changes.slice(this.seenUntil).some((who) => who !== this);
    const claim = falseClaimIn({ ...message, requests, hasOtherUser, isDoubled: false, isBelieved: false });
    if (claim) this.lies.push(`it is not so that ${claim}: ${message.text}`);
  }

  /** Every value, by its path, that this program's state or its messages have shown. */
  private known = new Set<string>();

  /** From now on, each write is checked. */
  watch(): void {
    this.world.fate = (request) => this.fateOf(request);
    this.world.onResponse = (request, answer) => this.isDone(request, answer);
    this.known = new Set([...this.known, ...this.knownNow()]);
  }

  private knownNow(): string[] {
    const { definition } = this.subject;
    const { record } = this.resource;
    const { observed, baseline } = record;
    const attempted = pendingInputs(record);
    // Its own pending write cannot be distinguished from the same write of someone else.
    const own = attempted ? withChanges(observed, plannedChanges(definition, record, attempted)) : {};
    return [observed, baseline, own].flatMap((model) =>
      [...leavesOf(model as Values)].map(([path, value]) => `${path}=${value}`),
    );
  }

  private async fateOf(request: HttpRequest): Promise<Fate> {
    const number = this.sent.size;
    this.sent.set(request, this.noted(request));
    let fate: Fate = "passes";
    // Without check-and-set, a read just before the write is the guard; the gap after that read is documented.
    const isLooking = request.nature !== "read" || this.wasRead;
    const isWindow = number > 0 && isLooking && this.subject.definition.life.check === undefined;
    this.wasRead = request.nature === "read";
    for (const happening of this.pending.filter(({ at, isEdit }) => at === number && !(isEdit && isWindow))) {
      const wanted = (await happening.run?.()) ?? "passes";
      if (wanted !== "passes") fate = wanted;
      if (happening.end?.isCarriedOut === false) return this.ends(happening.end.end);
    }
    if (request.nature !== "read") this.before = await this.readStored();
    return fate;
  }

  private noted(request: HttpRequest): Noted {
    const { method, path, nature } = request;
    const id = idOf(request);
    const isRead = nature === "read";
    const line = this.world.logged.length;
    const what = { method, target: path, body: "", id, isRead, isSingleUse: nature === "single-use", line };
    return { ...what, carriedOut: 0, isDone: false, isHeard: true };
  }

  /** Ends the step; a killed process never returns. */
  private ends(end: End): Promise<Fate> {
    if (end === "canceled") {
      this.canceling.abort();
      return Promise.resolve("request lost");
    }
    this.die();
    return new Promise(() => undefined);
  }

  private async isDone(request: HttpRequest, answer: HttpResponse): Promise<void> {
    const noted = this.sent.get(request);
    if (noted === undefined) return;
    noted.carriedOut += 1;
    const isUnseen = request.nature !== "read" && capabilityOf(this.subject.definition).writesUnseen;
    noted.isDone ||= (await this.judge(request)) || (isUnseen && answer.status < 300);
    if (noted.isDone) this.changes.push(this);
    const number = [...this.sent.keys()].indexOf(request);
    for (const { at, end } of this.pending) if (at === number && end?.isCarriedOut) await this.ends(end.end);
  }

  /**
   * Whether a write changed anything. A value that it overwrites must have been known from the state, or printed first
   * if the program sets onConflict: overwrite.
   */
  private async judge(request: HttpRequest): Promise<boolean> {
    if (request.nature === "read") return false;
    const after = await this.readStored();
    const changed = this.overwrites ? [] : differingLeaves(this.before, after);
    for (const path of changed.filter((one) => this.before.has(one))) {
      if (this.subject.isNoLongerLookedAt?.(path, after)) continue;
      const value = `${path}=${this.before.get(path)}`;
      if (!this.known.has(value)) this.overwritten.push(value);
    }
    // The values that this step wrote are its own if it writes again.
    for (const [path, value] of after)
      if (this.before.get(path) !== value) this.known.add(`${path}=${value}`);
    return differingLeaves(this.before, after).length > 0;
  }

  private async readStored(): Promise<Map<string, string>> {
    await this.reader.get(this.resource.id);
    return leavesOf(this.reader.record.observed as Values);
  }
}

const NOTHING_WRONG = { overwritten: [], lies: [] };

/** Whether an error is explained by a lost request: it contains remedies. */
function isLoss(error: unknown): boolean {
  return error instanceof Error && remediesOf(error) !== undefined;
}

/**
 * Plays a story. No program overwrites a value that was not shown to it before. A user who then follows the messages
 * ends with no changes.
 */
export async function play(subject: Subject, first: Values, story: readonly Event[]): Promise<void> {
  const world = await subject.world();
  const changes: Changes = [];
  const actors = [new Actor(subject, world, changes), new Actor(subject, world, changes)] as const;
  await actors[0].resource.create(first);
  await actors[1].adopt(first);
  for (const actor of actors) actor.watch();
  const programs = [first, first];
  const person = new Resource(world.another(), subject.definition);
  await person.get(actors[0].resource.id);
  const edit = async (what: Edit): Promise<Fate> => {
    await subject.edit(world, person, what);
    changes.push("a person");
    return "passes";
  };

  for (const event of story) {
    switch (event.kind) {
      case "edit":
        await edit(event.edit);
        break;
      case "edit within":
        for (const { pending } of actors)
          pending.push({ at: event.at, isEdit: true, run: () => edit(event.edit) });
        break;
      case "loss within":
        for (const { pending } of actors) pending.push({ at: event.at, run: async () => event.fate });
        break;
      case "end within":
        for (const { pending } of actors) pending.push({ at: event.at, end: event });
        break;
      case "refresh": {
        const actor = actors[event.who];
        await actor.run(() => actor.resource.refresh(BY_LIST).then(() => actor.hasRead()), false);
        break;
      }
      case "up": {
        const program = event.overwrites ? { ...event.program, onConflict: "overwrite" } : event.program;
        programs[event.who] = program;
        const actor = actors[event.who];
        await actor.run(() => actor.resource.up(program), event.overwrites, event.program);
        break;
      }
    }
  }
  for (const { overwritten, lies } of actors) expect({ overwritten, lies }).toEqual(NOTHING_WRONG);

  // Resolving conflicts as the messages say ends with no changes.
  for (const [index, actor] of actors.entries()) {
    const program = programs[index] ?? first;
    actor.pending = [];
    // The three steps below.
    for (let step = 1; step <= 3; step++) steps.add();
    await actor.resource.refresh(BY_LIST);
    await upTwice(actor.resource, program);
    expect(actor.resource.preview(program).changes).toEqual([]);
    await actor.resource.refresh();
    expect(actor.resource.preview(program).changes).toEqual([]);
  }
}

/** An up, and a second one if the first one failed because it read values for the first time. */
async function upTwice(resource: Resource, program: Values): Promise<void> {
  try {
    await resource.up(program);
  } catch (error) {
    const reason = error instanceof PartialError ? error.reason : undefined;
    if (!(reason instanceof ConflictError && reason.details.isFirstLook)) throw error;
    await resource.up(program);
  }
}
