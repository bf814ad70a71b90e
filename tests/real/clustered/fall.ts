import { setTimeout as delay } from "node:timers/promises";
import type { Cluster } from "../servers/cluster";

/** When the active server is ended, by the request of a story that everybody's waits at. */
export const MOMENTS = {
  /** It is ended, and then the request is sent. */
  "before it is sent": "before",
  /** The request is sent, and it is ended at once. */
  "while it is under way": "under way",
  /** The request is carried out and answered; it is ended, and the answer is lost. */
  "before it is answered": "answered",
} as const;
export type Moment = (typeof MOMENTS)[keyof typeof MOMENTS];

/** The moments of which it is certain what becomes of the request: one that is under way is as one before, or after. */
export const SURE = ["before", "answered"] as const satisfies readonly Moment[];

/** Some moments, each with its words. */
export function momentsOf(moments: readonly Moment[]): [string, Moment][] {
  return Object.entries(MOMENTS).filter(([, moment]) => moments.includes(moment));
}

/** Milliseconds by which requests are with the server, and most are not answered. */
const ON_ITS_WAY_MS = 3;

/**
 * The end of the active server, for which several stories wait: once each of them is where it is to meet them, or is over
 * without having been there.
 */
export class Fall {
  #awaited: number;
  #open: () => void = () => undefined;
  readonly #whenReady: Promise<void>;
  readonly #killed: Promise<void>;
  readonly #ended: Promise<unknown>;

  /**
   * @param stories how many of them there are
   * @param then what happens once it has ended, before anything is sent again, or missed
   */
  constructor(
    cluster: Cluster,
    readonly moment: Moment,
    stories: number,
    then: () => Promise<unknown> = async () => undefined,
  ) {
    this.#awaited = stories;
    this.#whenReady = new Promise((resolve) => {
      this.#open = resolve;
    });
    const active = cluster.active();
    this.#killed = this.#whenReady.then(async () => {
      const member = await active;
      if (moment === "under way") await delay(ON_ITS_WAY_MS);
      await cluster.kill(member);
    });
    this.#ended = this.#killed.then(then);
    // Whoever meets it hears of a failure.
    this.#ended.catch(() => undefined);
  }

  /** Everybody is there, and the server is about to end, or has ended. */
  async meet(): Promise<void> {
    this.leave();
    await { "under way": this.#whenReady, before: this.#killed, answered: this.#ended }[this.moment];
  }

  /** A story that is there, or will never be. */
  leave(): void {
    this.#awaited -= 1;
    if (this.#awaited === 0) this.#open();
  }

  /** When it has ended, and what was to happen then has happened. */
  get ended(): Promise<unknown> {
    return this.#ended;
  }
}
