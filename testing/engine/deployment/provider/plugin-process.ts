import { setTimeout as delay } from "node:timers/promises";
import type { Diagnostics } from "../operation/diagnostics";
import { OwnProcess } from "../wire/processes";
import type { Launch } from "./launch";

/** The environment of a plugin. */
export interface PluginPlace {
  readonly engineAddress: string;
  /** The program's folder. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly diagnostics: Diagnostics;
}

/** How long a plugin that closed its connection may take to exit. */
const ENDING_MS = 1_000;

/** A plugin process that the engine started, and its output. */
export class PluginProcess {
  private readonly printed: string[] = [];
  private readonly process: OwnProcess;
  private readonly firstLine = Promise.withResolvers<string>();
  private isWanted = true;

  constructor(
    private readonly launch: Launch,
    { engineAddress, directory, environment, diagnostics }: PluginPlace,
  ) {
    const onLine = (severity: "info" | "info#err") =>
      launch.tells ? diagnostics.stream(severity) : (line: string) => void this.printed.push(line);
    const onOutput = onLine("info");
    let isFirst = true;
    this.process = new OwnProcess({
      ...(launch.file !== undefined && { file: launch.file }),
      args: [...launch.args, engineAddress],
      directory,
      environment,
      input: "pipe",
      endsOn: "SIGINT",
      onOutput: (line) => {
        if (isFirst) this.firstLine.resolve(line.trim());
        else onOutput(line);
        isFirst = false;
      },
      onError: onLine("info#err"),
    });
    this.process.ended.then(
      ({ code, signal }) => this.hasEnded(signal ?? `exit status ${code}`, diagnostics),
      (error: unknown) => this.firstLine.reject(error),
    );
  }

  /** The port from the first line of its output. Rejects if the process ended earlier. */
  async port(): Promise<number> {
    const { binary } = this.launch;
    const line = await this.firstLine.promise;
    const port = /^\d+$/.test(line) ? Number(line) : 0;
    if (port > 0 && port <= 65_535) return port;
    throw new Error(`plugin [${binary}] wrote an invalid port to stdout: ${line}`);
  }

  /**
   * Stops the process; resolves after its end.
   * @param isCutOff true if its connection was lost: then the process is exiting, and its end is reported first
   */
  async stop(isCutOff: boolean): Promise<void> {
    if (isCutOff) await Promise.race([this.process.ended.catch(() => {}), delay(ENDING_MS)]);
    this.isWanted = false;
    return this.process.stop();
  }

  private hasEnded(how: string, diagnostics: Diagnostics): void {
    this.firstLine.reject(new Error(`could not read plugin [${this.launch.binary}]: ${how}`));
    if (!this.isWanted || this.launch.tells) return;
    diagnostics.error(
      `Detected that ${this.launch.binary} exited prematurely. \n` +
        "       This is *always* a bug in the provider. " +
        "Please report the issue to the provider author as appropriate.\n" +
        "       To assist with debugging we have dumped the STDOUT and STDERR streams of the plugin:" +
        `${this.printed.map((line) => `${line}\n`).join("")}\n`,
    );
  }
}
