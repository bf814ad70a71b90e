import { setTimeout as delay } from "node:timers/promises";
import type { Cluster } from "../servers/cluster";

/** When the active server is killed, relative to the request that all stories wait at. */
export const MOMENTS = {
  /** The server is killed, then the request is sent. */
  "before the request is sent": "before",
  /** The request is sent, and the server is killed immediately. */
  "while the request is in flight": "in flight",
  /** The request is carried out and answered. The server is killed, and the response is lost. */
  "before the response arrives": "answered",
} as const;
export type Moment = (typeof MOMENTS)[keyof typeof MOMENTS];

/** The moments with a certain outcome of the request. A request in flight is either applied or not. */
export const CERTAIN_MOMENTS = ["before", "answered"] as const satisfies readonly Moment[];

/** Moments with their names in test titles. */
export function momentsOf(moments: readonly Moment[]): [string, Moment][] {
  return Object.entries(MOMENTS).filter(([, moment]) => moments.includes(moment));
}

/** The time until the requests have reached the server, most of them without a response. */
const IN_FLIGHT_MS = 3;

/**
 * A failover that several stories wait for. It begins when each story has reached it, or has ended without reaching
 * it.
 */
export class Failover {
  #waiting: number;
  #begin: () => void = () => undefined;
  readonly #whenReady: Promise<void>;
  readonly #killed: Promise<void>;
  readonly #ended: Promise<unknown>;

  /**
   * @param storyCount the number of stories that wait
   * @param then runs after the failover, before any request is sent again and before the failover counts as missed
   */
  constructor(
    cluster: Cluster,
    readonly moment: Moment,
    storyCount: number,
    then: () => Promise<unknown> = async () => undefined,
  ) {
    this.#waiting = storyCount;
    this.#whenReady = new Promise((resolve) => {
      this.#begin = resolve;
    });
    const active = cluster.active();
    this.#killed = this.#whenReady.then(async () => {
      const member = await active;
      if (moment === "in flight") await delay(IN_FLIGHT_MS);
      await cluster.kill(member);
    });
    this.#ended = this.#killed.then(then);
    // The stories that meet the failover report the failure.
    this.#ended.catch(() => undefined);
  }

  /** Waits until all stories are ready and the server is about to be killed, or has been killed. */
  async meet(): Promise<void> {
    this.leave();
    await { "in flight": this.#whenReady, before: this.#killed, answered: this.#ended }[this.moment];
  }

  /** One story is ready, or has ended. */
  leave(): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#begin();
  }

  /** Resolves when the server is killed and `then` has run. */
  get ended(): Promise<unknown> {
    return this.#ended;
  }
}
