import { appendFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { Worker } from "node:worker_threads";
import { waysOf } from "../../provider/core/http/waysOn";

/** Milliseconds that no single decoding may take. */
export const LONGEST_MS = 1000;
/** Milliseconds after which nothing of a process that decodes is expected any more. */
const HANGS_MS = 20_000;

/** Milliseconds that a case has computed or waited since: not those in which the machine had its processor do something else. */
function timer(): () => number {
  const [computed, waited] = [process.cpuUsage(), performance.eventLoopUtilization()];
  return () => {
    const { user, system } = process.cpuUsage(computed);
    return (user + system) / 1000 + performance.eventLoopUtilization(waited).idle;
  };
}

/** A thread that says what hangs, and ends the process: whoever hangs can do neither. */
const WATCH = `
const { parentPort } = require("node:worker_threads");
let timer;
parentPort.on("message", (what) => {
  clearTimeout(timer);
  if (what === "") return;
  timer = setTimeout(() => {
    require("node:fs").writeSync(2, "it hangs: " + what + "\\n");
    process.kill(process.pid, "SIGKILL");
  }, ${HANGS_MS});
});`;

/** Tries cases one after the other, each in a second at most, and keeps what was wrong. */
export class Watched {
  readonly wrong: string[] = [];
  /** How many were tried, and how many of them ended with an error of ours. */
  tried = 0;
  told = 0;
  readonly #watch = new Worker(WATCH, { eval: true });

  /**
   * Tries one case: a value, or an error that says what to do next.
   * @param isOurs whether an error is one of those with which this decoder may answer; an advised one where nothing is said
   */
  async try<Value>(
    what: string,
    decode: () => Value | Promise<Value>,
    isOurs: (error: unknown) => boolean = (error) => waysOf(error) !== undefined,
  ): Promise<Value | undefined> {
    this.tried += 1;
    this.#watch.postMessage(what);
    const spent = timer();
    try {
      return await decode();
    } catch (error) {
      this.told += 1;
      if (!isOurs(error)) this.wrong.push(`${what}: ${error instanceof Error ? error.stack : String(error)}`);
      return undefined;
    } finally {
      const took = spent();
      if (took > LONGEST_MS) this.wrong.push(`${what}: took ${Math.round(took)} ms`);
      this.#watch.postMessage("");
    }
  }

  async end(): Promise<void> {
    const { QUARTERDECK_FUZZED: counts } = process.env;
    if (counts !== undefined) appendFileSync(counts, `${this.tried}\n`);
    await this.#watch.terminate();
  }
}
