import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as auto from "@pulumi/pulumi/automation";
import type { WarmHost } from "../hosts/warmHost";
import { AttachedPlugin } from "./attached-plugin";
import { takeCalls } from "./calls";
import { type EngineName, pulumiCommandOf } from "./engines";
import {
  diagnosticsOf,
  displayOf,
  type ExportedDeployment,
  failureOf,
  Normalizer,
  type Outcome,
  operationsOf,
  short,
  stateOf,
} from "./outcome";

const ROOT = resolve(__dirname, "../../../..");

/** The salt of the passphrase of every stack in these tests. */
const SALT = "v1:tOG/pIFeJQI=:v1:vQpuL3wE79nKcxHj:fWf6TQWGf6l/h+0LBhLmA08PD7sCWQ==";

/** A program in a separate folder, which runs in a separate process. */
export interface LocalProgram {
  readonly files: Readonly<Record<string, string>>;
  readonly main?: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** An inline function of the test, or a program in a folder. */
export type Program = auto.PulumiFn | LocalProgram;

/** The engine, hosts and plugins of a case. */
export interface CaseOptions {
  readonly engine: EngineName;
  /** Dynamic provider hosts that start quickly. */
  readonly host?: WarmHost | undefined;
  /** The plugins that Pulumi.yaml declares, by name and folder; none by default. */
  readonly plugins?: Readonly<Record<string, string>> | undefined;
}

interface Callbacks {
  readonly suppressProgress: false;
  readonly onOutput: (text: string) => void;
  readonly onEvent: (event: auto.EngineEvent) => void;
}

/** A stack of one case on one engine. Every command adds an outcome to compare. */
export class ComparedStack {
  readonly outcomes: Outcome[] = [];
  private before: unknown;
  private plugins: Readonly<Record<string, string>>;
  private attached: AttachedPlugin | undefined;

  private constructor(
    private readonly folder: string,
    private readonly stack: auto.Stack,
    private readonly normalizer: Normalizer,
    private readonly caseOptions: CaseOptions,
  ) {
    this.plugins = caseOptions.plugins ?? {};
  }

  static async open(caseOptions: CaseOptions): Promise<ComparedStack> {
    const folder = mkdtempSync(join(tmpdir(), "comparison-"));
    for (const name of ["work", "state"]) mkdirSync(join(folder, name));
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    symlinkSync(join(__dirname, "plugin"), join(folder, "plugin"));
    symlinkSync(join(ROOT, "plugin"), join(folder, "own-plugin"));
    const world = join(folder, "world.json");
    const workspace = await auto.LocalWorkspace.create({
      workDir: join(folder, "work"),
      pulumiCommand: await pulumiCommandOf(caseOptions.engine),
      projectSettings: projectOf(() => Promise.resolve(), {}),
      envVars: {
        PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
        PULUMI_CONFIG_PASSPHRASE: "comparison",
        PULUMI_SKIP_UPDATE_CHECK: "true",
        COMPARISON_WORLD: world,
        COMPARISON_CALLS: join(folder, "calls.jsonl"),
      },
    });
    // All stacks have the same key, so that a process derives it only once.
    await workspace.saveStackSettings("dev", { secretsProvider: "passphrase", encryptionSalt: SALT });
    const stack = await auto.Stack.create("dev", workspace);
    writeFileSync(world, JSON.stringify({ things: {}, log: {} }));
    await stack.setConfig("world", { value: world });
    const locations = [world, folder, ROOT].map((path, index) => [path, PLACES[index] ?? ""] as const);
    return new ComparedStack(folder, stack, new Normalizer(locations), caseOptions);
  }

  async close(): Promise<void> {
    await this.attached?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  preview = (program: Program, options?: auto.PreviewOptions) =>
    this.record("preview", program, (callbacks) => this.stack.preview({ ...options, ...callbacks }));

  up = (program: Program, options?: auto.UpOptions) =>
    this.record("up", program, (callbacks) => this.stack.up({ ...options, ...callbacks }));

  refresh = (program: Program, options?: auto.RefreshOptions) =>
    this.record("refresh", program, (callbacks) => this.stack.refresh({ ...options, ...callbacks }));

  previewRefresh = (program: Program, options?: auto.RefreshOptions) =>
    this.record("preview refresh", program, (callbacks) =>
      this.stack.previewRefresh({ ...options, ...callbacks }),
    );

  previewDestroy = (program: Program, options?: auto.DestroyOptions) =>
    this.record("preview destroy", program, (callbacks) =>
      this.stack.previewDestroy({ ...options, ...callbacks }),
    );

  destroy = (program: Program, options?: auto.DestroyOptions) =>
    this.record("destroy", program, (callbacks) => this.stack.destroy({ ...options, ...callbacks }));

  /** Makes engines attach to a plugin that is already running. */
  async attach(): Promise<void> {
    const { envVars } = this.stack.workspace;
    this.attached = await AttachedPlugin.start(envVars);
    envVars.PULUMI_DEBUG_PROVIDERS = `things:${this.attached.port}`;
  }

  /** Changes the plugins that Pulumi.yaml declares. */
  declare(plugins: Readonly<Record<string, string>>): void {
    this.plugins = plugins;
  }

  /** Sets an environment variable of the engine and its child processes. */
  environment(name: string, value: string): void {
    this.stack.workspace.envVars[name] = value;
  }

  /** Changes the stored things of the provider's service outside the stack. */
  world(edit: (things: Record<string, Record<string, unknown>>) => void): void {
    const world = this.readWorld();
    edit(world.things);
    writeFileSync(join(this.folder, "world.json"), JSON.stringify(world));
  }

  /** Changes the state by exporting and importing it. */
  async transfer(edit: (deployment: ExportedDeployment) => void): Promise<void> {
    const exported = await this.stack.exportStack();
    edit(exported.deployment);
    await this.stack.importStack(exported);
  }

  /** Changes the state file directly, to the content that a killed engine leaves. */
  checkpoint(edit: (deployment: ExportedDeployment) => void): void {
    const path = join(this.folder, "state/.pulumi/stacks/comparison/dev.json");
    const content = JSON.parse(readFileSync(path, "utf8"));
    edit(content.checkpoint.latest);
    writeFileSync(path, JSON.stringify(content));
    rmSync(`${path}.attrs`, { force: true });
  }

  config = (key: string, value: string, secret = false) => this.stack.setConfig(key, { value, secret });

  private async record(
    command: string,
    program: Program,
    run: (callbacks: Callbacks) => Promise<{ readonly outputs?: unknown } | object>,
  ): Promise<void> {
    await this.writeProgram(program);
    if (!this.attached) await this.caseOptions.host?.serve(this.stack.workspace);
    const events: auto.EngineEvent[] = [];
    let output = "";
    let failed: readonly string[] | undefined;
    let outputs: unknown;
    try {
      const result = await run({
        suppressProgress: false,
        onOutput: (text) => {
          output += text;
        },
        onEvent: (event) => events.push(event),
      });
      outputs = "outputs" in result ? result.outputs : undefined;
    } catch (error) {
      failed = failureOf(error);
    }
    const calls = takeCalls(join(this.folder, "calls.jsonl"), short);
    const exported = await this.stack.exportStack();
    const stored = this.normalizer.value({ state: stateOf(exported.deployment), world: this.readWorld() });
    const text = (value: string) => this.normalizer.text(value);
    this.outcomes.push({
      command,
      operations: operationsOf(events),
      changes: events.find((event) => event.summaryEvent)?.summaryEvent?.resourceChanges,
      diagnostics: diagnosticsOf(events).map(text).sort(),
      display: displayOf(output).map(text).sort(),
      ...(failed && { failed: failed.map(text) }),
      ...(outputs !== undefined && { outputs: this.normalizer.value(outputs) }),
      ...(calls && { calls: this.normalizer.value(calls) }),
      ...(isDeepStrictEqual(stored, this.before) ? {} : { stored }),
    });
    this.before = stored;
  }

  private async writeProgram(program: Program): Promise<void> {
    const { workspace } = this.stack;
    await workspace.saveProjectSettings(projectOf(program, this.plugins));
    if (typeof program === "function") {
      workspace.program = program;
      return;
    }
    delete workspace.program;
    const files = { "package.json": JSON.stringify({ name: "program", private: true }), ...program.files };
    for (const [name, content] of Object.entries(files)) {
      const path = join(this.folder, "work", name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    }
  }

  private readWorld() {
    return JSON.parse(readFileSync(join(this.folder, "world.json"), "utf8"));
  }
}

/** Placeholders for the paths of the world file, the folder of the case and the repository. */
const PLACES = ["<world>", "<folder>", "<root>"];

/** Provider hosts start in `main`, where they find their modules. */
function projectOf(program: Program, plugins: Readonly<Record<string, string>>): auto.ProjectSettings {
  const providers = Object.entries(plugins).map(([name, path]) => ({ name, path }));
  const declared = providers.length > 0 ? { plugins: { providers } } : {};
  const project = { name: "comparison", ...declared };
  if (typeof program === "function") return { ...project, runtime: "nodejs", main: ROOT };
  const { main, options } = program;
  return {
    ...project,
    runtime: options ? { name: "nodejs", options } : "nodejs",
    ...(main !== undefined && { main }),
  };
}
