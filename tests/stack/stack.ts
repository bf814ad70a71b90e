import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as auto from "@pulumi/pulumi/automation";
import { type Stub, startStub } from "../../testing/stub";
import { chosenEngine, pulumiCommandOf } from "../../testing/tests/engine/comparison/engines";
import { WarmHost } from "../../testing/tests/engine/hosts/warmHost";
import { leaveRejectionsToPrograms } from "../../testing/tests/engine/rejections";
import { BY_PLUGIN } from "../bridge";
import { natureOf } from "../faults/wire";
import { HISTORIES } from "../histories";
import { TOKENS } from "./console";

/** The setting of a stub that does not speak the default dialect. */
const dialectOf = ({ dialect }: Pick<Stub, "dialect">) => (dialect === "real" ? {} : { dialect });

/** Two organizations on Workspaces, and the Enterprise edition of Consul. */
export const SEEDED = {
  mesh: { switches: { edition: "enterprise" } },
  workspaces: {
    seed: {
      organizations: { acme: {}, other: {} },
      tokens: {
        [TOKENS.workspaces]: { user: "olga", organizations: { acme: ["owners"], other: ["owners"] } },
      },
    },
  },
} as const;

export const PASSPHRASE = "a passphrase of the tests";

/** Settings for the passphrase. All stacks share them, so that a process derives the key only once. */
const STACK_SETTINGS = {
  secretsProvider: "passphrase",
  encryptionSalt: "v1:BnzONXoJ+vQ=:v1:i93ooDchVsFBCkEJ:ZTq/UYgxDyUb/oQRp69GNgvh3HSZkQ==",
};

const SERVICES = ["workspaces", "scheduler", "secrets", "mesh"] as const;
const ROOT = resolve(__dirname, "../..");

/** The project setting by which the engine finds the plugin. */
const pluginAt = (path: string) => ({ plugins: { providers: [{ name: "quarterdeck", path }] } });

/** Options of a stack that differ from those of the run. */
export interface StackOptions {
  /** The dialect of the stack's own stub. */
  readonly dialect?: "neutral" | "real";
  /** Another stack's stub; without it, the stack starts its own. */
  readonly stub?: Stub;
  /** The folder of the plugin for this stack, for any bridge of the run. */
  readonly plugin?: string;
  /** The engine's command. */
  readonly command?: auto.PulumiCommand;
  /** Start a process for each provider of each command, as several providers of one package require. */
  readonly hasOwnProcesses?: boolean;
}

/** The result of a command: the engine's counts of changes, its output, and its error. */
export interface Ran {
  readonly changes: Readonly<Record<string, number>>;
  readonly output: string;
  readonly failure: string | undefined;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** A dynamic provider host, and the receiver of its output. */
interface LentHost {
  readonly host: WarmHost;
  onLine: (line: string) => void;
}

/** Hosts whose stacks are closed. Later stacks of the same file reuse them, because all stacks have the same name. */
const idleHosts: LentHost[] = [];

function lentHost(onLine: LentHost["onLine"]): LentHost {
  const lent: LentHost = idleHosts.pop() ?? {
    host: new WarmHost({ project: "platform", stack: "dev", onLine: (line) => lent.onLine(line) }),
    onLine,
  };
  lent.onLine = onLine;
  return lent;
}

/** Whether the file's tests have ended: hosts of stacks that are closed later are not reused. */
let isOver = false;

afterAll(() => {
  isOver = true;
  for (const { host } of idleHosts.splice(0)) host.stop();
});

/** One stack on the engine under test, and the four mock servers that its programs manage. */
export class TestStack {
  program: auto.PulumiFn = async () => undefined;
  /** Everything that the engine has printed or reported as an event so far. */
  printed = "";

  /** The output of the current or last command. */
  private output = "";
  /** Replaces a process for each command. The CLI and runs on the plugin start their own processes. */
  private readonly host: LentHost | undefined;
  private served: readonly ("dynamic" | "plugin")[] = ["dynamic"];

  private constructor(
    readonly stub: Stub,
    readonly folder: string,
    readonly stack: auto.Stack,
    private readonly listenAgain: () => Promise<void>,
    private readonly ownsStub: boolean,
    private readonly isByPlugin: boolean,
    hasOwnProcesses: boolean,
  ) {
    if (chosenEngine() !== "embedded" || isByPlugin || hasOwnProcesses) return;
    this.host = lentHost((line) => {
      this.output += `${line}\n`;
    });
  }

  static async open(
    settings: Readonly<Record<string, object>> = {},
    { stub: shared, plugin, command, dialect = "real", hasOwnProcesses = false }: StackOptions = {},
  ): Promise<TestStack> {
    const stub = shared ?? (await startStub({ ...SEEDED, dialect }));
    const isByPlugin = BY_PLUGIN || plugin !== undefined;
    const folder = mkdtempSync(join(tmpdir(), "quarterdeck-"));
    for (const name of ["work", "state"]) mkdirSync(join(folder, name));
    const workspace = await auto.LocalWorkspace.create({
      workDir: join(folder, "work"),
      pulumiCommand: command ?? (await pulumiCommandOf(chosenEngine())),
      // Provider hosts start in `main`, where they find their packages.
      projectSettings: {
        name: "platform",
        runtime: "nodejs",
        main: ROOT,
        ...pluginAt(plugin ?? join(ROOT, "plugin")),
      },
      envVars: {
        PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
        PULUMI_CONFIG_PASSPHRASE: PASSPHRASE,
        PULUMI_SKIP_UPDATE_CHECK: "true",
      },
    });
    await workspace.saveStackSettings("dev", STACK_SETTINGS);
    const stack = await auto.Stack.create("dev", workspace);
    if (isByPlugin) await stack.setConfig("quarterdeck:bridge", { value: "plugin" });
    for (const [service, token] of Object.entries(TOKENS)) {
      const address = stub.addresses[service as keyof Stub["addresses"]];
      const own = service === "workspaces" ? { organization: "acme" } : {};
      const value = JSON.stringify({ address, token, ...dialectOf(stub), ...own, ...settings[service] });
      await stack.setConfig(`quarterdeck:${service}`, { value, secret: true });
    }
    const listenAgain = leaveRejectionsToPrograms();
    return new TestStack(stub, folder, stack, listenAgain, shared === undefined, isByPlugin, hasOwnProcesses);
  }

  async close(): Promise<void> {
    await this.listenAgain();
    if (this.host && isOver) this.host.host.stop();
    else if (this.host) idleHosts.push(this.host);
    if (this.ownsStub) await this.stub.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  preview = (program?: auto.PulumiFn, options: auto.PreviewOptions = {}) =>
    this.run(program, async (watching) => {
      const { changeSummary } = await this.stack.preview({ ...options, ...watching });
      return { changes: { ...changeSummary } };
    });

  up = (program?: auto.PulumiFn, options: auto.UpOptions = {}) =>
    this.run(program, async (watching) => {
      const { summary, outputs } = await this.stack.up({ ...options, ...watching });
      const plain = Object.fromEntries(Object.entries(outputs).map(([name, output]) => [name, output.value]));
      return { changes: { ...summary.resourceChanges }, outputs: plain };
    });

  refresh = (options: auto.RefreshOptions = {}) =>
    this.run(undefined, async (watching) => {
      const { summary } = await this.stack.refresh({ ...options, ...watching });
      return { changes: { ...summary.resourceChanges } };
    });

  destroy = (options: auto.DestroyOptions = {}) =>
    this.run(undefined, async (watching) => {
      const { summary } = await this.stack.destroy({ ...options, ...watching });
      return { changes: { ...summary.resourceChanges } };
    });

  /** The URN of a resource of a program. */
  urnOf(token: string): string {
    const type = this.isByPlugin ? `quarterdeck:${token}` : `pulumi-nodejs:dynamic/quarterdeck/${token}`;
    return `urn:pulumi:dev::platform::${type}::${token.replace(":", "-")}`;
  }

  /** Sets the bridge of the stack's resources. */
  async setBridge(bridge: "dynamic" | "plugin"): Promise<void> {
    // Resources in the state may need both.
    this.served = ["dynamic", "plugin"];
    await this.stack.setConfig("quarterdeck:bridge", { value: bridge });
  }

  /** Gives the stack a named connection to the same services. */
  async setConnection(name: string): Promise<void> {
    const services = Object.fromEntries(
      Object.entries(TOKENS).map(([service, token]) => [
        service,
        {
          address: this.stub.addresses[service as keyof typeof TOKENS],
          token,
          ...dialectOf(this.stub),
          ...(service === "workspaces" && { organization: "acme" }),
        },
      ]),
    );
    const value = JSON.stringify({ [name]: services });
    await this.stack.setConfig("quarterdeck:connections", { value, secret: true });
  }

  /** All objects of the four services, without their histories. */
  async objects(): Promise<readonly string[]> {
    const dumps = await Promise.all(SERVICES.map((service) => this.stub.dump(service)));
    return dumps.map((dump) =>
      JSON.stringify(dump, (name, value) => (HISTORIES.has(name) ? undefined : value), 2),
    );
  }

  /** Every write request so far. */
  async writes(): Promise<readonly string[]> {
    const requests = await this.stub.requests();
    return requests
      .filter(({ method, path }) => !natureOf(method, path).isRead)
      .map(({ service, method, path }) => `${service} ${method} ${path}`);
  }

  /** The state file, as stored on disk. */
  state(): string {
    return readFileSync(join(this.folder, "state/.pulumi/stacks/platform/dev.json"), "utf8");
  }

  /** The resources in the state, decrypted. */
  async resources(): Promise<readonly unknown[]> {
    const { deployment } = await this.stack.exportStack();
    const resources: { urn: string; id: string; inputs: unknown; outputs: unknown }[] = deployment.resources;
    return resources.map(({ urn, id, inputs, outputs }) => ({ urn, id, inputs, outputs }));
  }

  private async run(
    program: auto.PulumiFn | undefined,
    command: (watching: Watching) => Promise<{
      changes: Record<string, number>;
      outputs?: Record<string, unknown>;
    }>,
  ): Promise<Ran> {
    if (program) this.program = program;
    this.stack.workspace.program = this.program;
    this.output = "";
    await this.host?.host.serve(this.stack.workspace, this.served);
    const watching: Watching = {
      suppressProgress: false,
      color: "never",
      onOutput: (text) => {
        this.output += text;
      },
      onError: (text) => {
        this.output += text;
      },
      // The SDK's own debug messages contain secrets; engines do not print them by default.
      onEvent: (event) => {
        if (String(event.diagnosticEvent?.severity) !== "debug") this.printed += JSON.stringify(event);
      },
    };
    try {
      const { changes, outputs = {} } = await command(watching);
      return { changes, output: this.output, failure: undefined, outputs };
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      this.printed += failure;
      return { changes: {}, output: this.output, failure, outputs: {} };
    } finally {
      this.printed += this.output;
    }
  }
}

interface Watching {
  readonly suppressProgress: false;
  readonly color: "never";
  readonly onOutput: (text: string) => void;
  readonly onError: (text: string) => void;
  readonly onEvent: (event: auto.EngineEvent) => void;
}
