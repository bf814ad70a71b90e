import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

/** A process in which hosts of dynamic providers start at once: one for each command, as an engine starts them. */
export class WarmHost {
  private process: ChildProcess | undefined;
  private readonly waiting: ((port: string) => void)[] = [];

  /** The port of a host that has served nobody. */
  async start(): Promise<string> {
    const { stdin } = this.process ?? this.spawned();
    const port = new Promise<string>((done) => this.waiting.push(done));
    stdin?.write("\n");
    return port;
  }

  stop(): void {
    this.process?.stdin?.end();
    this.process = undefined;
  }

  private spawned(): ChildProcess {
    const host = spawn(process.execPath, [resolve(__dirname, "hosts.cjs")], {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, PULUMI_NODEJS_PROJECT: "comparison", PULUMI_NODEJS_STACK: "dev" },
    });
    createInterface({ input: host.stdout }).on("line", (port) => this.waiting.shift()?.(port));
    this.process = host;
    return host;
  }
}
