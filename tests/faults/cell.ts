import { type ClientOptions, createClient } from "../../provider/core/http/client";
import type { Values } from "../../provider/core/language/object";
import { ConflictError } from "../../provider/core/state/conflict";
import { AlreadyExistsError } from "../../provider/core/state/failures";
import { Resource } from "../steps/resource";
import type { Subject } from "../steps/subject";
import type { World } from "../steps/world";
import { dumped } from "./dumped";
import type { Around, Fault } from "./faults";
import type { Life } from "./lives";
import { VirtualTime } from "./time";
import { type Sent, Wire } from "./wire";

/** How a life with a fault in it went. */
export interface Course {
  /** Whether the fault happened at all: a step that goes another way may send fewer requests. */
  readonly happened: boolean;
  /** What the step told; undefined where it ended well, "killed" where nobody was there any more to tell it. */
  readonly told: Error | "killed" | undefined;
  /** The requests of the step. */
  readonly requests: readonly Sent[];
  /** What the user did until all was well, in order. */
  readonly ways: readonly Way[];
  /** What is there in the end, and what a preview and a refresh say of it. */
  readonly end: End;
}

/** What a user does after an error. */
export type Way = "up" | "refresh" | "adopt" | "overwrite" | "destroy";

interface End {
  readonly isThere: boolean;
  readonly isQuiet: boolean;
  /** Everything that the service knows, as text. */
  readonly dump: string;
}

/** A program's process: killed, it says nothing more. */
class Process {
  readonly wire: Wire;
  readonly resource: Resource;
  readonly cancelling = new AbortController();
  private kill: () => void = () => undefined;
  readonly killed = new Promise<"killed">((resolve) => {
    this.kill = () => resolve("killed");
  });

  constructor(
    private readonly world: World,
    subject: Subject,
    readonly time: VirtualTime,
  ) {
    this.wire = new Wire(world.stub, time);
    const { wire } = this;
    const ours = world.by({
      runtime: time,
      createClient: (options: ClientOptions) => createClient({ ...options, dispatcher: wire }),
    });
    this.resource = new Resource(ours, subject.definition);
  }

  get around(): Around {
    return {
      service: this.world.stub.name,
      cancel: () => this.cancelling.abort(),
      kill: () => {
        this.wire.happening = () => () => undefined;
        this.kill();
      },
    };
  }
}

/** The most rounds that a user has to go until all is well. */
const MOST_ROUNDS = 3;

/** Runs a life with a fault in one of its requests, and what a user does after it. */
export async function courseOf(subject: Subject, life: Life, fault: Fault, number: number): Promise<Course> {
  const world = await subject.world();
  const time = new VirtualTime();
  const first = new Process(world, subject, time);
  await time.until(life.before(first.resource));
  const before = first.wire.requests.length;
  const at = before + number;
  let sent = before;
  first.wire.happening = () => {
    const isIt = sent === at;
    sent += 1;
    return isIt ? fault.happening(first.around) : fault0;
  };
  const { id, outputs, inputs } = first.resource;
  first.resource.signal = first.cancelling.signal;
  const step = life.step(first.resource).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
  const told = await time.until(Promise.race([step, first.killed]));
  const happened = first.wire.requests.length > at;
  const requests = first.wire.requests.slice(before);
  const next = new Process(world, subject, time);
  // After a kill the state is what it was before the step.
  const kept = told === "killed" ? { id, outputs, inputs } : first.resource;
  next.resource.id = kept.id;
  next.resource.outputs = kept.outputs;
  next.resource.inputs = kept.inputs;
  const ways: Way[] = [];
  const program = told === undefined ? life.program : await recovered(next, life, ways);
  // What is still on its way arrives.
  await time.until(time.sleep(3_600_000));
  return { happened, told, requests, ways, end: await endOf(next, life, program) };
}

const fault0 = async (passage: Parameters<ReturnType<Fault["happening"]>>[0]) =>
  passage.answer(await passage.carryOut());

/** What a user does after an error, as its message says, until nothing is told any more; the program that it ends with. */
async function recovered({ resource, time }: Process, life: Life, ways: Way[]): Promise<Values> {
  let { program } = life;
  const go = async (way: Way, does: () => Promise<unknown>): Promise<Error | undefined> => {
    ways.push(way);
    return time.until(
      does().then(
        () => undefined,
        (error: Error) => error,
      ),
    );
  };
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    let failure: Error | undefined;
    if (resource.outputs.__quarterdeck !== undefined)
      failure = await go("refresh", async () => {
        if (!(await resource.refresh())) resource.outputs = {};
      });
    if (life.ends) {
      if (resource.outputs.__quarterdeck === undefined) return program;
      failure = await go("destroy", () => resource.delete());
      if (failure === undefined) {
        resource.outputs = {};
        return program;
      }
      continue;
    }
    if (failure !== undefined) continue;
    failure = await go("up", () => up(resource, program));
    if (failure instanceof AlreadyExistsError) {
      program = { ...program, adopt: true };
      failure = await go("adopt", () => up(resource, program));
    }
    if (failure instanceof ConflictError && round === MOST_ROUNDS - 1) {
      program = { ...program, onConflict: "overwrite" };
      failure = await go("overwrite", () => up(resource, program));
    }
    if (failure === undefined) break;
  }
  return program;
}

function up(resource: Resource, program: Values): Promise<unknown> {
  return resource.outputs.__quarterdeck === undefined ? resource.create(program) : resource.up(program);
}

async function endOf({ resource, time }: Process, life: Life, program: Values): Promise<End> {
  const dump = () => dumped(resource.world.stub.dump());
  if (life.ends || resource.outputs.__quarterdeck === undefined)
    return { isThere: resource.outputs.__quarterdeck !== undefined, isQuiet: true, dump: dump() };
  const quietBefore = resource.preview(program).changes.length === 0;
  const isThere = await time.until(resource.refresh());
  const quietAfter = isThere && resource.preview(program).changes.length === 0;
  return { isThere, isQuiet: quietBefore && quietAfter, dump: dump() };
}
