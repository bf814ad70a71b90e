import fc from "fast-check";
import { withChanges } from "../../provider/core/diff/queries";
import { remediesOf } from "../../provider/core/http/remedies";
import type { HttpAnswer, HttpRequest } from "../../provider/core/http/request";
import type { Values } from "../../provider/core/language/object";
import { plannedChanges } from "../../provider/core/operations/planned";
import { ConflictError, PartialError } from "../../provider/core/state/errors";
import { pendingInputs } from "../../provider/core/state/records";
import { Counted } from "../counted";
import { capabilityOf } from "../faults/capability";
import { falseClaimIn, type Message, messageOf } from "../faults/claims";
import type { Sent } from "../faults/wire";
import { BY_LIST } from "./byList";
import { differingLeaves, leavesOf } from "./leaves";
import { Resource } from "./resource";
import type { Edit, Subject } from "./subject";
import type { Fate, World } from "./world";

/** Steps of the programs. */
const steps = new Counted("steps");

/** One thing that happens. An edit with `at` comes just before that request of the step that follows it. */
export type Event =
  | { readonly kind: "up"; readonly who: 0 | 1; readonly program: Values; readonly insists: boolean }
  | { readonly kind: "refresh"; readonly who: 0 | 1 }
  | { readonly kind: "edit"; readonly edit: Edit }
  | { readonly kind: "edit within"; readonly edit: Edit; readonly at: number }
  | { readonly kind: "loss within"; readonly fate: Fate; readonly at: number }
  | { readonly kind: "end within"; readonly end: End; readonly isCarriedOut: boolean; readonly at: number };

/** How a step ends before its time: whoever runs it gives up, or its process is killed. */
type End = "cancelled" | "killed";

const answered = (status: number, isCarriedOut: boolean): Fate => ({
  answer: { status, text: `<html>${status}</html>` },
  isCarriedOut,
});

/** What may become of a request on its way. */
const fates = fc.constantFrom<Fate>(
  "request lost",
  "response lost",
  "request hangs",
  "response hangs",
  ...[200, 502, 503].flatMap((status) => [answered(status, true), answered(status, false)]),
);

/** Programs that go with whatever another of them left unmanaged. */
export const compatible = (subject: Subject) => subject.compatible ?? subject.programs;

/** What two programs and a person at a console may do to one object, in any order. */
export function events(subject: Subject, withLosses: boolean): fc.Arbitrary<readonly Event[]> {
  const who = fc.constantFrom<0 | 1>(0, 1);
  const up = fc.record({
    kind: fc.constant("up" as const),
    who,
    program: compatible(subject),
    insists: fc.constantFrom(false, false, false, true),
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
    end: fc.constantFrom<End>("cancelled", "killed"),
    isCarriedOut: fc.boolean(),
    at: fc.nat(4),
  });
  const kinds: fc.Arbitrary<Event>[] = [up, up, refresh, edit, within];
  return fc.array(fc.oneof(...kinds, ...(withLosses ? [loss, end] : [])), { minLength: 3, maxLength: 12 });
}

/** What may happen to a request of a step. */
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

/** Who has moved the object, in order. */
type Moves = (Actor | "a person")[];

/** A program with a state of its own, watched at every write and at every word. */
class Actor {
  world: World;
  resource: Resource;
  readonly overwritten: string[] = [];
  /** What it said that was not so. */
  readonly lies: string[] = [];
  /** What may happen within the next step. */
  pending: Happening[] = [];
  private readonly sent = new Map<HttpRequest, Noted>();
  private cancelling = new AbortController();
  private die: () => void = () => undefined;
  /** How many moves there were when it had read the object the last time. */
  private seenUntil = 0;
  private wasRead = false;
  private readonly stranger: Resource;
  private before = new Map<string, string>();
  private insisted = false;

  constructor(
    readonly subject: Subject,
    world: World,
    readonly moves: Moves,
  ) {
    this.world = world.another();
    this.resource = new Resource(this.world, subject.definition);
    this.stranger = new Resource(world.another(), subject.definition);
  }

  async adopt(program: Values): Promise<void> {
    await this.resource.create({ ...program, adopt: true });
  }

  /** Runs a step; what it may throw is a conflict, or a partial failure because of one or of a loss. */
  async run(step: () => Promise<unknown>, insists: boolean, program?: Values): Promise<void> {
    if (program) this.program = JSON.stringify(program);
    this.sent.clear();
    this.insisted = insists;
    const known = this.known;
    // A process that is killed has said what it said.
    const { notices } = this.world;
    const line = notices.length;
    this.cancelling = new AbortController();
    this.resource.signal = this.cancelling.signal;
    steps.add();
    try {
      const killed = new Promise<"killed">((resolve) => {
        this.die = () => resolve("killed");
      });
      if ((await Promise.race([step(), killed])) === "killed") this.beginAnew();
    } catch (error) {
      const isTold = error instanceof ConflictError || error instanceof PartialError;
      if (!isTold && !isLoss(error)) throw error;
      this.hear(messageOf(error as Error), Number.POSITIVE_INFINITY);
    } finally {
      this.pending = [];
      delete this.resource.signal;
      notices.slice(line).forEach((message, index) => {
        this.hear(message, line + index);
      });
      this.known = new Set([...known, ...this.knownNow(), ...(await this.alsoOurs())]);
    }
  }

  /** What is there by the same program of another, where the state only believes it: whoever asks is told that it is ours. */
  private async alsoOurs(): Promise<string[]> {
    const last = this.moves.at(-1);
    const isSame = last instanceof Actor && last.program === this.program;
    if (this.resource.record.pending?.kind !== "unverified" || !isSame) return [];
    return [...(await this.held())].map(([path, value]) => `${path}=${value}`);
  }

  /** What it writes, as text. */
  private program = "";

  /** It has read all that there is, but for what no program of it managed yet. */
  hasRead(): void {
    const { life } = this.subject.definition;
    if (life.links.length === 0) this.seenUntil = this.moves.length;
  }

  /** Another process, with the state as it was when the step began. */
  private beginAnew(): void {
    const { id, outputs, inputs, isHalfDone } = this.resource;
    this.world = this.world.another();
    this.resource = new Resource(this.world, this.subject.definition);
    Object.assign(this.resource, { id, outputs, inputs, isHalfDone });
    this.watch();
  }

  /** Compares a message with what really happened until then. */
  private hear(message: Message, line: number): void {
    const requests = [...this.sent.values()].filter((each) => each.line <= line);
    const hasStranger = this.moves.slice(this.seenUntil).some((who) => who !== this);
    const claim = falseClaimIn({ ...message, requests, hasStranger, isDoubled: false, isBelieved: false });
    if (claim) this.lies.push(`it is not so that ${claim}: ${message.text}`);
  }

  /** Every value, by its path, that this program's state or its output has shown. */
  private known = new Set<string>();

  /** From here on, every write is judged. */
  watch(): void {
    this.world.fate = (request) => this.onItsWay(request);
    this.world.afterwards = (request, answer) => this.isDone(request, answer);
    this.known = new Set([...this.known, ...this.knownNow()]);
  }

  private knownNow(): string[] {
    const { definition } = this.subject;
    const { record } = this.resource;
    const { observed, baseline } = record;
    const attempted = pendingInputs(record);
    // What it has sent itself, and was told may yet come, nobody can tell from somebody's same.
    const own = attempted ? withChanges(observed, plannedChanges(definition, record, attempted)) : {};
    return [observed, baseline, own].flatMap((model) =>
      [...leavesOf(model as Values)].map(([path, value]) => `${path}=${value}`),
    );
  }

  private async onItsWay(request: HttpRequest): Promise<Fate> {
    const number = this.sent.size;
    this.sent.set(request, this.noted(request));
    let fate: Fate = "passes";
    // Without check-and-set a look just before the write is the guard; what comes from its first read on is documented.
    const isLooking = request.nature !== "read" || this.wasRead;
    const isWindow = number > 0 && isLooking && this.subject.definition.life.check === undefined;
    this.wasRead = request.nature === "read";
    for (const happening of this.pending.filter(({ at, isEdit }) => at === number && !(isEdit && isWindow))) {
      const wanted = (await happening.run?.()) ?? "passes";
      if (wanted !== "passes") fate = wanted;
      if (happening.end?.isCarriedOut === false) return this.ends(happening.end.end);
    }
    if (request.nature !== "read") this.before = await this.held();
    return fate;
  }

  private noted({ method, path, nature }: HttpRequest): Noted {
    const isRead = nature === "read";
    const line = this.world.logged.length;
    const what = { method, target: path, body: "", isRead, isSingleUse: nature === "single-use", line };
    return { ...what, carriedOut: 0, isDone: false, isHeard: true };
  }

  /** The step gets no further; nobody hears of a process that is killed. */
  private ends(end: End): Promise<Fate> {
    if (end === "cancelled") {
      this.cancelling.abort();
      return Promise.resolve("request lost");
    }
    this.die();
    return new Promise(() => undefined);
  }

  private async isDone(request: HttpRequest, answer: HttpAnswer): Promise<void> {
    const noted = this.sent.get(request);
    if (noted === undefined) return;
    noted.carriedOut += 1;
    const isUnseen = request.nature !== "read" && capabilityOf(this.subject.definition).writesUnseen;
    noted.isDone ||= (await this.judge(request)) || (isUnseen && answer.status < 300);
    if (noted.isDone) this.moves.push(this);
    const number = [...this.sent.keys()].indexOf(request);
    for (const { at, end } of this.pending) if (at === number && end?.isCarriedOut) await this.ends(end.end);
  }

  /**
   * Whether a write moved anything. What it took away must have been known: by the state, or printed first where the program
   * insists.
   */
  private async judge(request: HttpRequest): Promise<boolean> {
    if (request.nature === "read") return false;
    const after = await this.held();
    const changed = this.insisted ? [] : differingLeaves(this.before, after);
    for (const path of changed.filter((one) => this.before.has(one))) {
      if (this.subject.isNoLongerLookedAt?.(path, after)) continue;
      const value = `${path}=${this.before.get(path)}`;
      if (!this.known.has(value)) this.overwritten.push(value);
    }
    // What this very step wrote is its own, should it write once more.
    for (const [path, value] of after)
      if (this.before.get(path) !== value) this.known.add(`${path}=${value}`);
    return differingLeaves(this.before, after).length > 0;
  }

  private async held(): Promise<Map<string, string>> {
    await this.stranger.get(this.resource.id);
    return leavesOf(this.stranger.record.observed as Values);
  }
}

const NOTHING_WRONG = { overwritten: [], lies: [] };

/** An error that what happens on the way explains, and that tells what to do. */
function isLoss(error: unknown): boolean {
  return error instanceof Error && remediesOf(error) !== undefined;
}

/**
 * Plays a story. Nobody overwrites what was not shown to them first; whoever then does as the messages say ends quiet.
 */
export async function play(subject: Subject, first: Values, story: readonly Event[]): Promise<void> {
  const world = await subject.world();
  const moves: Moves = [];
  const actors = [new Actor(subject, world, moves), new Actor(subject, world, moves)] as const;
  await actors[0].resource.create(first);
  await actors[1].adopt(first);
  for (const actor of actors) actor.watch();
  const programs = [first, first];
  const person = new Resource(world.another(), subject.definition);
  await person.get(actors[0].resource.id);
  const edit = async (what: Edit): Promise<Fate> => {
    await subject.edit(world, person, what);
    moves.push("a person");
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
        const program = event.insists ? { ...event.program, onConflict: "overwrite" } : event.program;
        programs[event.who] = program;
        const actor = actors[event.who];
        await actor.run(() => actor.resource.up(program), event.insists, event.program);
        break;
      }
    }
  }
  for (const { overwritten, lies } of actors) expect({ overwritten, lies }).toEqual(NOTHING_WRONG);

  // Whoever resolves as the message says ends quiet.
  for (const [index, actor] of actors.entries()) {
    const program = programs[index] ?? first;
    actor.pending = [];
    // The three that follow.
    for (let step = 1; step <= 3; step++) steps.add();
    await actor.resource.refresh(BY_LIST);
    await insisted(actor.resource, program);
    expect(actor.resource.preview(program).changes).toEqual([]);
    await actor.resource.refresh();
    expect(actor.resource.preview(program).changes).toEqual([]);
  }
}

/** An up; and another one where it shows for the first time what is there, as its message says. */
async function insisted(resource: Resource, program: Values): Promise<void> {
  try {
    await resource.up(program);
  } catch (error) {
    if (!(error instanceof PartialError && error.message.includes("for the first time"))) throw error;
    await resource.up(program);
  }
}
