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

/** Something that goes wrong with the request of this number. */
export interface Trouble {
  readonly at: number;
  readonly fault: Fault;
  /** What is done after a kill, where it is one: the same command again, where nothing is said. */
  readonly afterKill?: User["afterKill"];
}

/** How a life with faults in it went. */
export interface Course {
  /** Whether each fault happened: a step that goes another way may send fewer requests, and a fault may find nothing to do. */
  readonly happened: boolean;
  /** What the command told; undefined where it ended well, "killed" where nobody was there any more to tell it. */
  readonly told: Error | "killed" | undefined;
  /** All messages beside errors, until the end. */
  readonly notices: readonly Message[];
  /** The requests of the command, and those of all that the user did after it. */
  readonly requests: readonly Sent[];
  /** How many of them were sent when the engine wrote the state down the last time. */
  readonly keptAt: number;
  /** How long the command took, in milliseconds. */
  readonly tookMs: number;
  readonly later: readonly Sent[];
  /** What the user did until all was well, in order. */
  readonly ways: readonly Remedy[];
  /** Every error that was told, the command's own first. */
  readonly errors: readonly Error[];
  readonly stranger: Stranger;
  /** Every error and every line that was told, with what was sent of its step until then. */
  readonly said: readonly Said[];
  /** Everything that the service knew before the command, and when it had ended, as text. */
  readonly before: string;
  readonly after: string;
  /** What it knows where the program's object is made anew; of a life without faults that somebody may break. */
  readonly anew?: string;
  readonly end: End;
  /** What came of a destroy after that, where nobody else was there, and there was anything to destroy. */
  readonly destroyed?: Destroyed;
}

/** What a destroy leaves. */
export interface Destroyed {
  readonly failure: Error | undefined;
  /** Everything that the service knows then, as text. */
  readonly dump: string;
}

/** What is there in the end, and what a preview and a refresh say of it. */
export interface End {
  readonly isThere: boolean;
  /** Whether a preview is empty, before and after a refresh. */
  readonly isQuiet: boolean;
  /** Whether it is once a refresh and an up have been. */
  readonly isQuietAtLast: boolean;
  /** What the last up told, where it did not end well. */
  readonly failure?: Error;
  /** What the resource says of itself, where it was carried out only perhaps. */
  readonly outcome: string;
  /** Everything that the service knows, as text. */
  readonly dump: string;
}

/** Until nothing is on its way any more. */
const SETTLED_MS = 1_200_000;

/** What a command with faults in some of its requests left. */
export interface Commanded {
  readonly world: World;
  readonly process: Process;
  readonly stranger: Stranger;
  /** What has to be told of what somebody else did. */
  readonly due: Due | undefined;
  readonly said: readonly Said[];
  /** Everything that the service knew before the command, and when it had ended, as text. */
  readonly before: string;
  readonly after: string;
  /** Faults that never happened, or found nothing to do. */
  readonly missed: ReadonlySet<Trouble>;
  readonly told: Course["told"];
  readonly requests: readonly Sent[];
  readonly keptAt: number;
  readonly tookMs: number;
  /** The state, as the engine has it then. */
  readonly state: Pick<Resource, "id" | "outputs" | "inputs" | "isHalfDone">;
}

/** Runs the command of a life with faults in some of its requests. */
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
  // After a kill the state is what was written down last.
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

/** Runs a life with faults in some of its requests, and what a user does after it. */
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
  // What is still on its way arrives.
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

/** Destroys what the state holds in the end. */
async function destroyedAtLast({ resource, time }: Process, begins: () => void): Promise<Destroyed> {
  begins();
  const failure = await time.until(failureOf(destroy(resource)));
  return { failure, dump: dumped(resource.world.stub.dump()) };
}

/** Has the faults happen; those that have not yet, or that found nothing to do. */
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

/** What is logged counts as told before anything more is written. */
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
  // What a refresh or a preview shows is written over knowingly.
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

/** For people: what the user did, in order. */
export function waysIn({ ways }: Course): string {
  return ways.map((way) => (way.kind === "set" ? `set ${way.property}` : way.kind)).join(", ");
}
