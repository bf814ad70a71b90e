import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as auto from "@pulumi/pulumi/automation";
import { chosenEngine, cliOnPath, type EngineName, pulumiCommandOf } from "./engines";
import {
  diagnosticsOf,
  displayOf,
  failureOf,
  Normaliser,
  type Outcome,
  operationsOf,
  stateOf,
} from "./outcome";

export type Program = auto.PulumiFn;

/** A stack of one case on one engine. Every command adds to what is compared. */
export interface ComparedStack {
  preview(program: Program, options?: auto.PreviewOptions): Promise<void>;
  up(program: Program, options?: auto.UpOptions): Promise<void>;
  refresh(program: Program, options?: auto.RefreshOptions): Promise<void>;
  previewRefresh(program: Program, options?: auto.RefreshOptions): Promise<void>;
  destroy(program: Program, options?: auto.DestroyOptions): Promise<void>;
  /** Changes what the provider's service holds, behind the engine's back. */
  world(edit: (things: Record<string, Record<string, unknown>>) => void): void;
  /** Changes the state by exporting and importing it. */
  state(
    edit: (deployment: { resources: Record<string, unknown>[]; pending_operations?: unknown[] }) => void,
  ): Promise<void>;
  config(key: string, value: string, secret?: boolean): Promise<void>;
}

/**
 * A case that every engine must answer alike. Its outcome is compared with the CLI's, as recorded beside the
 * tests; where a CLI is on the PATH it answers again. A recording that is missing is made, by the CLI alone.
 */
export function compare(name: string, story: (stack: ComparedStack) => Promise<void>): void {
  const file = join(__dirname, "recorded", `${name.replaceAll(/[^\w]+/g, "-")}.json`);
  const engine = chosenEngine();
  test(name, async () => check(file, engine, await outcomesOf(engine, story)), 180_000);
  if (engine === "embedded" && cliOnPath()) {
    test(`${name} (on the CLI)`, async () => check(file, "cli", await outcomesOf("cli", story)), 180_000);
  }
}

function check(file: string, engine: EngineName, outcomes: readonly Outcome[]): void {
  if (engine === "cli" && !existsSync(file)) {
    mkdirSync(join(__dirname, "recorded"), { recursive: true });
    writeFileSync(file, `${JSON.stringify(outcomes, null, 1)}\n`);
  }
  expect(JSON.parse(JSON.stringify(outcomes))).toEqual(JSON.parse(readFileSync(file, "utf8")));
}

async function outcomesOf(
  engine: EngineName,
  story: (stack: ComparedStack) => Promise<void>,
): Promise<Outcome[]> {
  const restore = leaveRejectionsToTheSdk();
  const folder = mkdtempSync(join(tmpdir(), "comparison-"));
  try {
    const outcomes: Outcome[] = [];
    await story(await open(engine, folder, outcomes));
    return outcomes;
  } finally {
    restore();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A program's mistakes, and the calls that nobody answers once its deployment has failed, are unhandled
 * rejections. The SDK listens and reports them; the test runner, which would fail the test, need not.
 */
function leaveRejectionsToTheSdk(): () => void {
  const listeners = process.listeners("unhandledRejection");
  const ignore = () => {};
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", ignore);
  return () => {
    process.off("unhandledRejection", ignore);
    for (const listener of listeners) process.on("unhandledRejection", listener);
  };
}

async function open(engine: EngineName, folder: string, outcomes: Outcome[]): Promise<ComparedStack> {
  const world = join(folder, "world.json");
  writeFileSync(world, JSON.stringify({ things: {}, log: {} }));
  for (const name of ["work", "state"]) mkdirSync(join(folder, name));
  const normaliser = new Normaliser([
    [world, "<world>"],
    [folder, "<folder>"],
    [resolve(__dirname, "../../.."), "<root>"],
  ]);
  const workspace = await auto.LocalWorkspace.create({
    workDir: join(folder, "work"),
    pulumiCommand: await pulumiCommandOf(engine),
    // Provider hosts start here, where they find what they require.
    projectSettings: { name: "comparison", runtime: "nodejs", main: resolve(__dirname, "../../..") },
    envVars: {
      PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: "comparison",
      PULUMI_SKIP_UPDATE_CHECK: "true",
    },
  });
  const stack = await auto.Stack.create("dev", workspace);
  await stack.setConfig("world", { value: world });

  let before: unknown;
  const record = async (
    command: string,
    program: Program,
    run: (options: {
      readonly onOutput: (text: string) => void;
      readonly onEvent: (event: auto.EngineEvent) => void;
      readonly suppressProgress: false;
    }) => Promise<unknown>,
  ) => {
    const events: auto.EngineEvent[] = [];
    let output = "";
    let failed: readonly string[] | undefined;
    let outputs: unknown;
    workspace.program = program;
    try {
      const result = await run({
        suppressProgress: false,
        onOutput: (text) => {
          output += text;
        },
        onEvent: (event) => events.push(event),
      });
      outputs = (result as { readonly outputs?: unknown } | undefined)?.outputs;
    } catch (error) {
      failed = failureOf(error);
    }
    const exported = await stack.exportStack();
    const kept = normaliser.value({
      state: stateOf(exported.deployment),
      world: JSON.parse(readFileSync(world, "utf8")),
    });
    const text = (value: string) => normaliser.text(value);
    outcomes.push({
      command,
      operations: operationsOf(events),
      changes: events.find((event) => event.summaryEvent)?.summaryEvent?.resourceChanges,
      diagnostics: diagnosticsOf(events).map(text).sort(),
      display: displayOf(output).map(text).sort(),
      ...(failed && { failed: failed.map(text) }),
      ...(outputs !== undefined && { outputs: normaliser.value(outputs) }),
      ...(isDeepStrictEqual(kept, before) ? {} : { kept }),
    });
    before = kept;
  };

  return {
    preview: (program, options) =>
      record("preview", program, (more) => stack.preview({ ...options, ...more })),
    up: (program, options) => record("up", program, (more) => stack.up({ ...options, ...more })),
    refresh: (program, options) =>
      record("refresh", program, (more) => stack.refresh({ ...options, ...more })),
    previewRefresh: (program, options) =>
      record("preview refresh", program, (more) => stack.previewRefresh({ ...options, ...more })),
    destroy: (program, options) =>
      record("destroy", program, (more) => stack.destroy({ ...options, ...more })),
    world(edit) {
      const now = JSON.parse(readFileSync(world, "utf8"));
      edit(now.things);
      writeFileSync(world, JSON.stringify(now));
    },
    async state(edit) {
      const exported = await stack.exportStack();
      edit(exported.deployment);
      await stack.importStack(exported);
    },
    config: (key, value, secret = false) => stack.setConfig(key, { value, secret }),
  };
}
