import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import type { LocalWorkspace } from "@pulumi/pulumi/automation";

/** The project and stack of the hosts, and the receiver of the lines that their providers print. */
export interface WarmHostOptions {
  readonly project: string;
  readonly stack: string;
  /** Environment variables of the providers, in addition to those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly onLine?: (line: string) => void;
}

/** The kind of process that a command attaches to: a dynamic provider host, or our plugin. */
type Served = "dynamic" | "plugin";

/** The name that an engine uses to attach to each kind. */
const NAMES: Readonly<Record<Served, string>> = { dynamic: "pulumi-nodejs", plugin: "quarterdeck" };

/**
 * A process that starts dynamic provider hosts, and our plugin, without delay: one instance for each command, as
 * an engine starts them. Commands run one after the other, so that each printed line belongs to the latest instance.
 */
export class WarmHost {
  private process: ChildProcess | undefined;
  private readonly waiting: ((port: string) => void)[] = [];

  constructor(private readonly options: WarmHostOptions) {}

  /** Starts fresh processes for the next command of a workspace. */
  async serve(
    { envVars }: Pick<LocalWorkspace, "envVars">,
    served: readonly Served[] = ["dynamic"],
  ): Promise<void> {
    const found: string[] = [];
    // One after the other, because a printed port does not name its process.
    for (const each of served) found.push(`${NAMES[each]}:${await this.started(each)}`);
    envVars.PULUMI_DEBUG_PROVIDERS = found.join(",");
  }

  private started(served: Served): Promise<string> {
    const { stdin } = this.process ?? this.spawned();
    const port = new Promise<string>((done) => this.waiting.push(done));
    stdin?.write(`${served}\n`);
    return port;
  }

  stop(): void {
    this.process?.stdin?.end();
    this.process = undefined;
  }

  private spawned(): ChildProcess {
    const { project, stack, environment, onLine = () => undefined } = this.options;
    const host = spawn(process.execPath, [resolve(__dirname, "hosts.cjs")], {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...process.env, ...environment, PULUMI_NODEJS_PROJECT: project, PULUMI_NODEJS_STACK: stack },
    });
    createInterface({ input: host.stdout }).on("line", (line) => {
      const started = /^\d+$/.test(line) ? this.waiting.shift() : undefined;
      if (started) started(line);
      else onLine(line);
    });
    createInterface({ input: host.stderr }).on("line", onLine);
    this.process = host;
    return host;
  }
}
