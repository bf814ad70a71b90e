import type { Remedy } from "../../provider/core/http/remedies";
import type { Values } from "../../provider/core/language/object";
import type { Resource } from "../steps/resource";
import type { World } from "../steps/world";
import { type Message, messageOf } from "./claims";
import { destroy, failureOf, isInState, up } from "./commands";
import { dumped } from "./dump";
import type { Fault, FaultActions } from "./fault";
import type { FaultSubject, Scenario } from "./faultSubject";
import { Listener, type ReportedMessage } from "./listener";
import { OtherUser, type UserChange } from "./otherUser";
import { Process, type ResourceFactory } from "./process";
import { markReported, markShown, type RequiredReport, recreate, requiredReportOf } from "./reports";
import { recover, type User } from "./user";
import { type Happening, passes, type Sent } from "./wire";

/** A fault at the request with this number. */
export interface PlacedFault {
  readonly at: number;
  readonly fault: Fault;
  /** The user's reaction to a kill. Default: the same command again. */
  readonly afterKill?: User["afterKill"];
}

/** The course of a scenario with faults. */
export interface ScenarioRun {
  /** Whether each fault happened. A changed course may have fewer requests, and a fault may not apply to a request. */
  readonly happened: boolean;
  /** The error of the command; undefined if it succeeded, "killed" if the process was killed. */
  readonly failure: Error | "killed" | undefined;
  /** All messages that are not errors. */
  readonly notices: readonly Message[];
  /** The requests of the command. */
  readonly requests: readonly Sent[];
  /** The number of requests when the engine last stored the state. */
  readonly storedAt: number;
  /** The duration of the command in milliseconds. */
  readonly durationMs: number;
  readonly later: readonly Sent[];
  /** The remedies that the user applied, in order. */
  readonly remedies: readonly Remedy[];
  /** Every error, first that of the command. */
  readonly errors: readonly Error[];
  readonly otherUser: OtherUser;
  /** Every message, with the requests of its step until then. */
  readonly messages: readonly ReportedMessage[];
  /** The complete content of the service before and after the command. */
  readonly before: string;
  readonly after: string;
  /**
   * The content of the service after a new create of the program's object; only without faults, if other users can
   * delete the object.
   */
  readonly recreated?: string;
  readonly end: End;
  /** The result of a destroy at the end; only without another user, if there is an object. */
  readonly destruction?: Destruction;
}

/** The result of a destroy. */
export interface Destruction {
  readonly failure: Error | undefined;
  /** The complete content of the service after the destroy. */
  readonly dump: string;
}

/** The final state, and the result of a preview and a refresh. */
export interface End {
  readonly exists: boolean;
  /** Whether previews before and after a refresh show no changes. */
  readonly showsNoChanges: boolean;
  /** Whether a preview shows no changes after a refresh and an up. */
  readonly finallyShowsNoChanges: boolean;
  /** The error of the last up. */
  readonly failure?: Error;
  /** The outcome that an action stores in its outputs. */
  readonly outcome: string;
  /** The complete content of the service. */
  readonly dump: string;
}

/** The time after which no request is in flight. */
const ALL_ARRIVED_MS = 1_200_000;

/** The result of a command with faults. */
export interface CommandResult {
  readonly world: World;
  readonly process: Process;
  readonly otherUser: OtherUser;
  /** The message that is required about the other user's change. */
  readonly requiredReport: RequiredReport | undefined;
  readonly messages: readonly ReportedMessage[];
  /** The complete content of the service before and after the command. */
  readonly before: string;
  readonly after: string;
  /** The faults that did not happen. */
  readonly missed: ReadonlySet<PlacedFault>;
  readonly failure: ScenarioRun["failure"];
  readonly requests: readonly Sent[];
  readonly storedAt: number;
  readonly durationMs: number;
  /** The state that the engine has stored. */
  readonly state: Pick<Resource, "id" | "outputs" | "inputs" | "isHalfDone">;
}

/** Runs the command of a scenario with faults. */
export async function runCommand(
  tried: FaultSubject,
  life: Scenario,
  troubles: readonly PlacedFault[],
  keeping?: ResourceFactory,
): Promise<CommandResult> {
  const world = await tried.world();
  const ahead = troubles.reduce((sum, { fault }) => sum + (fault.clockAheadMs ?? 0), 0);
  const process = Process.first(world, tried.definition, ahead, keeping);
  const { resource, time } = process;
  await time.until(life.before(resource));
  await time.until(time.sleep(60_000));
  resource.adoptsIdentical = life.adoptsIdentical === true;
  const otherUser = new OtherUser(world, tried);
  const userChange = troubles.find(({ fault }) => fault.change)?.fault.change?.kind;
  const requiredReport = userChange && (await requiredReportOf(tried, life, userChange));
  const before = dumped(world.stub.dump());
  const sentBefore = process.wire.requests.length;
  const missed = installFaults(process, troubles, sentBefore, faultActions(process, otherUser, life));
  const listener = new Listener(process);
  const stateNow = () => {
    const { id, outputs, inputs, isHalfDone } = resource;
    return { id, outputs, inputs, isHalfDone };
  };
  let state = stateNow();
  let storedAt = 0;
  const keep = () => {
    listener.begins();
    storedAt = process.wire.requests.length - sentBefore;
    state = stateNow();
  };
  resource.signal = process.canceling.signal;
  process.wire.afterwards = () => updateOtherUser(otherUser, requiredReport, process.notices);
  const command = life.command(resource, keep).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
  const began = time.now();
  const failure = await time.until(Promise.race([command, process.killed]));
  const durationMs = time.now() - began;
  // After a kill the engine has the state that it stored last.
  if (failure !== "killed") state = stateNow();
  if (failure instanceof Error) listener.fails(failure);
  const requests = process.wire.requests.slice(sentBefore);
  const [after, { messages }] = [dumped(world.stub.dump()), listener];
  return {
    world,
    process,
    otherUser,
    requiredReport,
    messages,
    before,
    after,
    missed,
    failure,
    requests,
    storedAt,
    durationMs,
    state,
  };
}

/** Runs a scenario with faults, and then the user's reactions to it. */
export async function runScenario(
  tried: FaultSubject,
  life: Scenario,
  ...troubles: PlacedFault[]
): Promise<ScenarioRun> {
  const command = await runCommand(tried, life, troubles);
  const {
    world,
    process: first,
    otherUser,
    requiredReport,
    missed,
    failure,
    requests,
    storedAt,
    durationMs,
    state,
  } = command;
  const { time, clock } = first;
  const next = new Process(world, tried.definition, time, clock);
  next.wire.afterwards = () => updateOtherUser(otherUser, requiredReport, next.notices);
  Object.assign(next.resource, state, { adoptsIdentical: life.adoptsIdentical === true });
  const errors = failure instanceof Error ? [failure] : [];
  const listener = new Listener(next);
  markReported(otherUser, requiredReport, [...errors.map(messageOf), ...first.notices]);
  const remedies: Remedy[] = [];
  const user = {
    process: next,
    afterKill: troubles.find(({ afterKill }) => afterKill)?.afterKill ?? "again",
    life,
    tried,
    remedies,
    errors,
    begins: () => listener.begins(),
    hear: (error: Error) => {
      listener.fails(error);
      markReported(otherUser, requiredReport, [messageOf(error)]);
    },
    shown: (names: ReadonlySet<string> | "gone") => markShown(otherUser, requiredReport, names),
  };
  const program = failure === undefined ? life.program : await recover(user, failure);
  // Delayed requests arrive.
  await time.until(time.sleep(ALL_ARRIVED_MS));
  listener.begins();
  const written = program ?? next.resource.inputs;
  const end = await finalState(next, life, written, (names) => markShown(otherUser, requiredReport, names));
  const later = [...next.wire.requests];
  const notices = [...first.notices, ...next.notices];
  const isAlone = troubles.every(({ fault }) => fault.change === undefined);
  const isForOtherUsers = troubles.length === 0 && tried.takeAway !== undefined && !life.deletesObject;
  const destruction =
    isAlone && !life.deletesObject ? await finalDestroy(next, () => listener.begins()) : undefined;
  return {
    before: command.before,
    after: command.after,
    messages: [...command.messages, ...listener.messages],
    ...(isForOtherUsers && (await recreate(tried, life, written))),
    happened: missed.size === 0,
    failure,
    storedAt,
    durationMs,
    notices,
    requests,
    later,
    remedies,
    errors,
    otherUser,
    end,
    ...(destruction && { destruction }),
  };
}

/** Destroys the resource if the state contains it. */
async function finalDestroy({ resource, time }: Process, begins: () => void): Promise<Destruction> {
  begins();
  const failure = await time.until(failureOf(destroy(resource)));
  return { failure, dump: dumped(resource.world.stub.dump()) };
}

/** Makes the faults happen. Returns those that have not happened. */
function installFaults(
  { wire }: Process,
  troubles: readonly PlacedFault[],
  before: number,
  around: (skip: () => void) => FaultActions,
): ReadonlySet<PlacedFault> {
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

function faultActions(process: Process, otherUser: OtherUser, life: Scenario) {
  const { world, canceling, resource } = process;
  return (skip: () => void): FaultActions => ({
    service: world.stub.name,
    cancel: () => canceling.abort(),
    kill: () => process.kill(),
    otherUser: async (userChange: UserChange) => {
      if (!(await otherUser.makeChange(userChange, resource, life))) skip();
    },
    skip,
  });
}

/** A logged message counts as shown before the next write. */
function updateOtherUser(
  otherUser: OtherUser,
  requiredReport: RequiredReport | undefined,
  notices: readonly Message[],
): void {
  markReported(otherUser, requiredReport, notices);
  otherUser.checkOverwritten();
}

async function finalState(
  { resource, time }: Process,
  life: Scenario,
  program: Values,
  shown: User["shown"],
): Promise<End> {
  const dump = () => dumped(resource.world.stub.dump());
  const outcome = () => String(resource.outputs.outcome ?? "");
  if (life.deletesObject)
    return {
      exists: isInState(resource),
      showsNoChanges: true,
      finallyShowsNoChanges: true,
      outcome: "",
      dump: dump(),
    };
  const changes = () => (isInState(resource) ? resource.preview(program).changes : undefined);
  const isEmpty = () => changes()?.length === 0;
  const wasEmpty = isEmpty();
  const exists = isInState(resource) && (await time.until(resource.refresh()));
  if (!exists) resource.outputs = {};
  const showsNoChanges = wasEmpty && isEmpty();
  // The user knows the changes that a refresh or a preview shows.
  shown(exists ? new Set(changes()?.map(({ path: [name] }) => String(name))) : "gone");
  const failure = showsNoChanges ? undefined : await time.until(failureOf(up(resource, program)));
  return {
    exists: isInState(resource),
    showsNoChanges,
    finallyShowsNoChanges: isEmpty(),
    ...(failure && { failure }),
    outcome: outcome(),
    dump: dump(),
  };
}

/** The user's remedies for test output. */
export function describeRemedies({ remedies }: ScenarioRun): string {
  return remedies.map((way) => (way.kind === "set" ? `set ${way.property}` : way.kind)).join(", ");
}
