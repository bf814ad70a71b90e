import { appendFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { remediesOf } from "../../provider/core/http/remedies";

/** CPU time of the process after which a case counts as hanging; the load of other processes does not matter. */
const HANGS_MS = 60_000;

/**
 * A thread that prints which case hangs and ends the process. The thread that hangs can do neither, and jest's timeout
 * cannot interrupt it.
 */
const WATCH = `
const { parentPort } = require("node:worker_threads");
let what = "";
let before = process.cpuUsage();
parentPort.on("message", (next) => {
  what = next;
  before = process.cpuUsage();
});
setInterval(() => {
  const { user, system } = process.cpuUsage(before);
  if (what === "" || (user + system) / 1000 < ${HANGS_MS}) return;
  require("node:fs").writeSync(2, "it hangs: " + what + "\\n");
  process.kill(process.pid, "SIGKILL");
}, 1000);`;

/** Runs cases one after the other, and collects the failures. */
export class Watched {
  readonly wrong: string[] = [];
  /** The number of cases, and the longest CPU time of a case in milliseconds. */
  #tried = 0;
  #longest = { what: "", ms: 0 };
  readonly #watch = new Worker(WATCH, { eval: true });

  /**
   * Runs one case, which must return a value or throw an expected error.
   * @param isOurs whether an error is expected; by default, errors with remedies are
   */
  async try<Value>(
    what: string,
    decode: () => Value | Promise<Value>,
    isOurs: (error: unknown) => boolean = (error) => remediesOf(error) !== undefined,
  ): Promise<Value | undefined> {
    this.#tried += 1;
    this.#watch.postMessage(what);
    const before = process.cpuUsage();
    try {
      return await decode();
    } catch (error) {
      if (!isOurs(error)) this.wrong.push(`${what}: ${error instanceof Error ? error.stack : String(error)}`);
      return undefined;
    } finally {
      const { user, system } = process.cpuUsage(before);
      const ms = (user + system) / 1000;
      if (ms > this.#longest.ms) this.#longest = { what, ms };
      this.#watch.postMessage("");
    }
  }

  /** Ends the watch, and hands the counts to `npm run soak -- fuzz`, which prints the slowest cases. */
  async end(): Promise<void> {
    const { QUARTERDECK_FUZZED: counts } = process.env;
    const line = JSON.stringify({ tried: this.#tried, longest: this.#longest });
    if (counts !== undefined) appendFileSync(counts, `${line}\n`);
    await this.#watch.terminate();
  }
}
