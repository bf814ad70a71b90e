import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

/** The plugin in `plugin/`, started by the test. Engines attach to it, one command after the other. */
export class AttachedPlugin {
  private constructor(
    private readonly process: ChildProcess,
    readonly port: string,
  ) {}

  static async start(environment: Readonly<Record<string, string>>): Promise<AttachedPlugin> {
    const script = resolve(__dirname, "plugin/plugin.cjs");
    const plugin = spawn(process.execPath, [script], {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, ...environment },
    });
    const [port] = await once(createInterface({ input: plugin.stdout }), "line");
    return new AttachedPlugin(plugin, String(port));
  }

  /** Stops the plugin, and resolves after its process has ended. */
  async stop(): Promise<void> {
    const ended = once(this.process, "exit");
    this.process.kill("SIGINT");
    await ended;
  }
}
