import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Stub, startStub } from "../../../testing/stub";
import { dumped } from "../../faults/dump";
import { consoleOn } from "../console";
import { type Ran, SEEDED, TestStack } from "../stack";
import type { Case } from "./cases";
import { firstRemedyIn } from "./firstRemedy";
import { Gate, type Moment, type Passed, type Trouble } from "./gate";
import { engineIn, hostIn, type KillableProcess, pluginIn } from "./killableProcess";
import { amongLiving } from "./ports";

/** The process that is hit at a request, and how. */
export type Interruption =
  | "the plugin is killed"
  | "the dynamic provider host is killed"
  | "the command is canceled"
  | "the engine is killed";

/** The bridge that runs the killed process. */
export const serverIn = (blow: Interruption): "plugin" | "dynamic" =>
  blow === "the dynamic provider host is killed" ? "dynamic" : "plugin";

export interface Hit {
  readonly blow: Interruption;
  readonly moment: Moment;
  readonly at: number;
  /** The only operation that is hit; without it, each operation is. */
  readonly only?: Operation;
}

/** The operations of a resource's life, in order. */
export const OPERATIONS = ["create", "update", "delete"] as const;
export type Operation = (typeof OPERATIONS)[number];

/** One operation, with the commands that completed it. */
export interface Ended {
  readonly operation: Operation;
  /** The requests of the interrupted operation, and of all later commands. */
  readonly requests: readonly Passed[];
  readonly later: readonly Passed[];
  /** Whether the operation was interrupted. */
  readonly isHit: boolean;
  /** The output of the command. */
  readonly said: string;
  /** The remedies that the user applied, in addition to running the command again. */
  readonly ways: readonly string[];
  /** The output of each later command that failed. */
  readonly told: readonly string[];
  /**
   * The output of the last command if it failed, of a preview after it that shows changes, or the number of resources
   * that a delete left in the state; otherwise empty.
   */
  readonly unrest: string;
  readonly dump: string;
}

/** The most commands that a user runs to complete an operation. */
const MOST_COMMANDS = 5;

/** A stack in which one resource after the other is created, updated and deleted. */
export class Theater {
  private constructor(
    private readonly folder: string,
    readonly stack: TestStack,
    private readonly gate: Gate,
    private readonly server: KillableProcess,
    private readonly engine: KillableProcess | undefined,
  ) {}

  static async open(served: "plugin" | "dynamic" = "plugin"): Promise<Theater> {
    const folder = mkdtempSync(join(tmpdir(), "quarterdeck-kills-"));
    mkdirSync(join(folder, "engine"));
    const server = served === "plugin" ? pluginIn(folder) : hostIn(folder);
    const engine = await engineIn(join(folder, "engine"));
    const stub = await startStub(SEEDED);
    const gate = await Gate.before(stub);
    const settings = Object.fromEntries(
      Object.entries(gate.addresses).map(([name, address]) => [name, { address }]),
    );
    const stack = await TestStack.open(settings, {
      stub,
      ...("path" in server ? { plugin: server.path } : { hasOwnProcesses: true }),
      ...(engine && { command: engine.command }),
    });
    if ("environment" in server) Object.assign(stack.stack.workspace.envVars, server.environment);
    return new Theater(folder, stack, gate, server, engine);
  }

  async close(): Promise<void> {
    this.gate.stop();
    await this.gate.stub.stop();
    await this.stack.close();
    rmSync(this.folder, { recursive: true });
  }

  /** Runs all operations on a new stub; each operation that has such a request is hit. */
  async life(one: Case, hit?: Hit): Promise<readonly Ended[]> {
    await this.gate.stub.stop();
    this.gate.stub = await startStub(SEEDED);
    await one.prepare?.(consoleOn(this.gate.stub));
    const ended: Ended[] = [];
    let settings: Readonly<Record<string, unknown>> = {};
    for (const operation of OPERATIONS) {
      if (operation === "update" && one.second === undefined) continue;
      const program = (operation === "update" ? one.second : undefined) ?? one.first;
      const set = (more: Readonly<Record<string, unknown>>) => {
        settings = { ...settings, ...more };
      };
      const run = (signal?: AbortSignal) =>
        amongLiving(() =>
          operation === "delete"
            ? this.stack.destroy({ ...(signal && { signal }) })
            : this.stack.up(async () => one.make({ ...program, ...settings }), { ...(signal && { signal }) }),
        );
      const isMeant = hit?.only === undefined || hit.only === operation;
      ended.push(await this.ended(operation, run, set, isMeant ? hit : undefined));
    }
    return ended;
  }

  /** Runs an up in which only one request is disturbed. */
  async hitUp(
    program: () => Promise<void>,
    { blow, moment, at }: Pick<Hit, "blow"> & Pick<Trouble, "moment" | "at">,
  ): Promise<Ran> {
    const canceling = new AbortController();
    const act = () => this.strike(blow, canceling);
    this.gate.passed = [];
    this.gate.trouble = { at, moment, act, isSurvived: blow === "the command is canceled" };
    const ran = await this.stack.up(program, { signal: canceling.signal });
    this.gate.trouble = undefined;
    return ran;
  }

  private async ended(
    operation: Operation,
    run: (signal?: AbortSignal) => Promise<Ran>,
    set: (more: Readonly<Record<string, unknown>>) => void,
    hit: Hit | undefined,
  ): Promise<Ended> {
    const { gate } = this;
    gate.passed = [];
    let isHit = false;
    const canceling = new AbortController();
    if (hit) {
      const act = () => {
        isHit = true;
        this.strike(hit.blow, canceling);
      };
      gate.trouble = { ...hit, act, isSurvived: hit.blow === "the command is canceled" };
    }
    let ran = await run(canceling.signal);
    gate.trouble = undefined;
    const requests = gate.passed;
    gate.passed = [];
    const said = textOf(ran);
    const ways: string[] = [];
    const told: string[] = [];
    for (let round = 0; isHit && round < MOST_COMMANDS; round += 1) {
      ran = await run();
      if (ran.failure === undefined) break;
      const text = textOf(ran);
      told.push(text);
      const { way, setting } = firstRemedyIn(text);
      ways.push(way);
      if (setting) set(setting);
      if (way === "pulumi refresh") await this.stack.refresh();
      if (way === "pulumi cancel") await this.stack.stack.cancel();
      if (way === "none") break;
    }
    if (!isHit && ran.failure !== undefined)
      throw new Error(`without any blow ${operation} fails: ${textOf(ran)}`);
    return {
      operation,
      requests,
      later: gate.passed,
      isHit,
      said,
      ways,
      told,
      unrest: await this.unrestAfter(operation, ran),
      dump: dumped(await dumpOf(gate.stub)),
    };
  }

  private strike(blow: Interruption, canceling: AbortController): void {
    if (blow === "the command is canceled") canceling.abort();
    else if (blow !== "the engine is killed") this.server.kill();
    else if (this.engine) this.engine.kill();
    else throw new Error("the embedded engine is this process");
  }

  private async unrestAfter(operation: Operation, last: Ran): Promise<string> {
    if (last.failure !== undefined) return textOf(last);
    if (operation === "delete") return this.leftInState();
    const preview = await amongLiving(() => this.stack.preview());
    const isQuiet =
      preview.failure === undefined && Object.keys(preview.changes).every((kind) => kind === "same");
    return isQuiet ? "" : textOf(preview);
  }

  private async leftInState(): Promise<string> {
    const { deployment } = await this.stack.stack.exportStack();
    const resources: unknown[] = deployment.resources ?? [];
    return resources.length === 0 ? "" : `${resources.length} resources are left in the state`;
  }
}

function textOf({ failure = "", output }: Ran): string {
  return `${failure}\n${output}`;
}

async function dumpOf(stub: Stub) {
  const names = ["workspaces", "scheduler", "secrets", "mesh"] as const;
  return Promise.all(names.map((name) => stub.dump(name)));
}
