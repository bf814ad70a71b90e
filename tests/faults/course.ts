import type { Remedy } from "../../provider/core/http/remedies";
import type { Values } from "../../provider/core/language/object";
import type { Resource } from "../steps/resource";
import type { World } from "../steps/world";
import { type Message, messageOf } from "./claims";
import { destroy, failureOf, isInState, up } from "./commands";
import { dumped } from "./dumped";
import type { Around, Fault } from "./fault";
import { type Keeping, Process } from "./process";
import { Listener, type Said } from "./said";
import { type Due, dueOf, hear, madeAnew, see } from "./shown";
import { type Deed, Stranger } from "./strangers";
import type { Life, Tried } from "./tried";
import { recovered, type User } from "./user";
import { type Happening, passes, type Sent } from "./wire";

/** A fault at the request with this number. */
export interface Trouble {
  readonly at: number;
  readonly fault: Fault;
  /** The user's reaction to a kill. Default: the same command again. */
  readonly afterKill?: User["afterKill"];
}

/** The course of a scenario with faults. */
export interface Course {
  /** Whether each fault happened. A changed course may have fewer requests, and a fault may not apply to a request. */
  readonly happened: boolean;
  /** The error of the command; undefined if it succeeded, "killed" if the process was killed. */
  readonly told: Error | "killed" | undefined;
  /** All messages that are not errors. */
  readonly notices: readonly Message[];
  /** The requests of the command. */
  readonly requests: readonly Sent[];
  /** The number of requests when the engine last stored the state. */
  readonly keptAt: number;
  /** The duration of the command in milliseconds. */
  readonly tookMs: number;
  readonly later: readonly Sent[];
  /** The remedies that the user applied, in order. */
  readonly ways: readonly Remedy[];
  /** Every error, first that of the command. */
  readonly errors: readonly Error[];
  readonly stranger: Stranger;
  /** Every message, with the requests of its step until then. */
  readonly said: readonly Said[];
  /** The complete content of the service before and after the command. */
  readonly before: string;
  readonly after: string;
  /**
   * The content of the service after a new create of the program's object; only without faults, if other users can
   * delete the object.
   */
  readonly anew?: string;
  readonly end: End;
  /** The result of a destroy at the end; only without another user, if there is an object. */
  readonly destroyed?: Destroyed;
}

/** The result of a destroy. */
export interface Destroyed {
  readonly failure: Error | undefined;
  /** The complete content of the service after the destroy. */
  readonly dump: string;
}

/** The final state, and the result of a preview and a refresh. */
export interface End {
  readonly isThere: boolean;
  /** Whether previews before and after a refresh show no changes. */
  readonly isQuiet: boolean;
  /** Whether a preview shows no changes after a refresh and an up. */
  readonly isQuietAtLast: boolean;
  /** The error of the last up. */
  readonly failure?: Error;
  /** The outcome that an action stores in its outputs. */
  readonly outcome: string;
  /** The complete content of the service. */
  readonly dump: string;
}

/** The time after which no request is in flight. */
const SETTLED_MS = 1_200_000;

/** The result of a command with faults. */
export interface Commanded {
  readonly world: World;
  readonly process: Process;
  readonly stranger: Stranger;
  /** The message that is required about the other user's change. */
  readonly due: Due | undefined;
  readonly said: readonly Said[];
  /** The complete content of the service before and after the command. */
  readonly before: string;
  readonly after: string;
  /** The faults that did not happen. */
  readonly missed: ReadonlySet<Trouble>;
  readonly told: Course["told"];
  readonly requests: readonly Sent[];
  readonly keptAt: number;
  readonly tookMs: number;
  /** The state that the engine has stored. */
  readonly state: Pick<Resource, "id" | "outputs" | "inputs" | "isHalfDone">;
}

/** Runs the command of a scenario with faults. */
export async function commanded(
  tried: Tried,
  life: Life,
  troubles: readonly Trouble[],
  keeping?: Keeping,
): Promise<Commanded> {
  const world = await tried.world();
  const ahead = troubles.reduce((sum, { fault }) => sum + (fault.clockAheadMs ?? 0), 0);
  const process = Process.first(world, tried.definition, ahead, keeping);
  const { resource, time } = process;
  await time.until(life.before(resource));
  await time.until(time.sleep(60_000));
  resource.adoptsIdentical = life.takesIdentical === true;
  const stranger = new Stranger(world, tried);
  const deed = troubles.find(({ fault }) => fault.deed)?.fault.deed?.kind;
  const due = deed && (await dueOf(tried, life, deed));
  const before = dumped(world.stub.dump());
  const sentBefore = process.wire.requests.length;
  const missed = happen(process, troubles, sentBefore, aroundOf(process, stranger, life));
  const listener = new Listener(process);
  const stateNow = () => {
    const { id, outputs, inputs, isHalfDone } = resource;
    return { id, outputs, inputs, isHalfDone };
  };
  let state = stateNow();
  let keptAt = 0;
  const keep = () => {
    listener.begins();
    keptAt = process.wire.requests.length - sentBefore;
    state = stateNow();
  };
  resource.signal = process.cancelling.signal;
  process.wire.afterwards = () => showTo(stranger, due, process.notices);
  const command = life.command(resource, keep).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
  const began = time.now();
  const told = await time.until(Promise.race([command, process.killed]));
  const tookMs = time.now() - began;
  // After a kill the engine has the state that it stored last.
  if (told !== "killed") state = stateNow();
  if (told instanceof Error) listener.hears(told);
  const requests = process.wire.requests.slice(sentBefore);
  const [after, { said }] = [dumped(world.stub.dump()), listener];
  return {
    world,
    process,
    stranger,
    due,
    said,
    before,
    after,
    missed,
    told,
    requests,
    keptAt,
    tookMs,
    state,
  };
}

/** Runs a scenario with faults, and then the user's reactions to it. */
export async function courseOf(tried: Tried, life: Life, ...troubles: Trouble[]): Promise<Course> {
  const command = await commanded(tried, life, troubles);
  const { world, process: first, stranger, due, missed, told, requests, keptAt, tookMs, state } = command;
  const { time, clock } = first;
  const next = new Process(world, tried.definition, time, clock);
  next.wire.afterwards = () => showTo(stranger, due, next.notices);
  Object.assign(next.resource, state, { adoptsIdentical: life.takesIdentical === true });
  const errors = told instanceof Error ? [told] : [];
  const listener = new Listener(next);
  hear(stranger, due, [...errors.map(messageOf), ...first.notices]);
  const ways: Remedy[] = [];
  const user = {
    process: next,
    afterKill: troubles.find(({ afterKill }) => afterKill)?.afterKill ?? "again",
    life,
    tried,
    ways,
    errors,
    begins: () => listener.begins(),
    hear: (error: Error) => {
      listener.hears(error);
      hear(stranger, due, [messageOf(error)]);
    },
    shown: (names: ReadonlySet<string> | "gone") => see(stranger, due, names),
  };
  const program = told === undefined ? life.program : await recovered(user, told);
  // Delayed requests arrive.
  await time.until(time.sleep(SETTLED_MS));
  listener.begins();
  const written = program ?? next.resource.inputs;
  const end = await endOf(next, life, written, (names) => see(stranger, due, names));
  const later = [...next.wire.requests];
  const notices = [...first.notices, ...next.notices];
  const isAlone = troubles.every(({ fault }) => fault.deed === undefined);
  const isForStrangers = troubles.length === 0 && tried.takeAway !== undefined && !life.ends;
  const destroyed = isAlone && !life.ends ? await destroyedAtLast(next, () => listener.begins()) : undefined;
  return {
    before: command.before,
    after: command.after,
    said: [...command.said, ...listener.said],
    ...(isForStrangers && (await madeAnew(tried, life, written))),
    happened: missed.size === 0,
    told,
    keptAt,
    tookMs,
    notices,
    requests,
    later,
    ways,
    errors,
    stranger,
    end,
    ...(destroyed && { destroyed }),
  };
}

/** Destroys the resource if the state contains it. */
async function destroyedAtLast({ resource, time }: Process, begins: () => void): Promise<Destroyed> {
  begins();
  const failure = await time.until(failureOf(destroy(resource)));
  return { failure, dump: dumped(resource.world.stub.dump()) };
}

/** Makes the faults happen. Returns those that have not happened. */
function happen(
  { wire }: Process,
  troubles: readonly Trouble[],
  before: number,
  around: (misses: () => void) => Around,
): ReadonlySet<Trouble> {
  const missed = new Set(troubles);
  let sent = 0;
  let fromNowOn: Happening | undefined;
  wire.happening = () => {
    const number = sent;
    sent += 1;
    const trouble = troubles.find(({ at }) => at === number);
    if (trouble === undefined) return fromNowOn ?? passes;
    missed.delete(trouble);
    const own = around(() => missed.add(trouble));
    if (trouble.fault.lasts) fromNowOn = trouble.fault.happening(own);
    return fromNowOn ?? trouble.fault.happening(own);
  };
  if (wire.requests.length !== before) throw new Error("requests were sent meanwhile");
  return missed;
}

function aroundOf(process: Process, stranger: Stranger, life: Life) {
  const { world, cancelling, resource } = process;
  return (misses: () => void): Around => ({
    service: world.stub.name,
    cancel: () => cancelling.abort(),
    kill: () => process.kill(),
    stranger: async (deed: Deed) => {
      if (!(await stranger.act(deed, resource, life))) misses();
    },
    misses,
  });
}

/** A logged message counts as shown before the next write. */
function showTo(stranger: Stranger, due: Due | undefined, notices: readonly Message[]): void {
  hear(stranger, due, notices);
  stranger.look();
}

async function endOf(
  { resource, time }: Process,
  life: Life,
  program: Values,
  shown: User["shown"],
): Promise<End> {
  const dump = () => dumped(resource.world.stub.dump());
  const outcome = () => String(resource.outputs.outcome ?? "");
  if (life.ends)
    return { isThere: isInState(resource), isQuiet: true, isQuietAtLast: true, outcome: "", dump: dump() };
  const changes = () => (isInState(resource) ? resource.preview(program).changes : undefined);
  const isEmpty = () => changes()?.length === 0;
  const wasEmpty = isEmpty();
  const isThere = isInState(resource) && (await time.until(resource.refresh()));
  if (!isThere) resource.outputs = {};
  const isQuiet = wasEmpty && isEmpty();
  // The user knows the changes that a refresh or a preview shows.
  shown(isThere ? new Set(changes()?.map(({ path: [name] }) => String(name))) : "gone");
  const failure = isQuiet ? undefined : await time.until(failureOf(up(resource, program)));
  return {
    isThere: isInState(resource),
    isQuiet,
    isQuietAtLast: isEmpty(),
    ...(failure && { failure }),
    outcome: outcome(),
    dump: dump(),
  };
}

/** The user's remedies for test output. */
export function waysIn({ ways }: Course): string {
  return ways.map((way) => (way.kind === "set" ? `set ${way.property}` : way.kind)).join(", ");
}
