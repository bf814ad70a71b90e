import { plain } from "../../plain";
import type { StubRequest } from "../../service";
import type { Writer } from "./job-store";
import type { Endpoint, Operation, Outcome } from "./operation";
import { advance, nextTime } from "./progress/advance";
import { World } from "./world";

type Context = Omit<Writer, "world">;

/** One region's world as requests see it: written whole or not at all, and watched by queries that wait. */
export class Region {
  #world = new World();
  /** The world before the latest write, for stale reads. */
  #before = this.#world;
  readonly #watchers = new Set<() => void>();
  #isClosed = false;
  #changes = 0;

  /** True once another world has taken this one's place: nothing here changes any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Answers from a copy of the world, which becomes the world only when the answer is a success. */
  async serve(operation: Omit<Operation, "world">, endpoint: Endpoint): Promise<Outcome> {
    this.#advance(operation);
    if (endpoint.method === "GET") {
      const world = operation.request.stale ? this.#before : this.#world;
      return endpoint.handle({ ...operation, world });
    }
    const world = this.#world.copy();
    const outcome = await endpoint.handle({ ...operation, world });
    this.#store(world);
    return outcome;
  }

  plant(apply: (writer: Writer) => void, context: Context): void {
    const world = this.#world.copy();
    apply({ ...context, world });
    this.#store(world);
    this.#before = world;
  }

  /** Counts the changes so far. */
  get changes(): number {
    return this.#changes;
  }

  /**
   * Ends with the next write, when something happens by itself, at `until`, or when the caller has gone; at once where
   * there was a change since it was looked at, with so many changes so far.
   */
  async changed(request: StubRequest, until: number, since: number): Promise<void> {
    if (this.#changes !== since) return;
    const wake = new AbortController();
    const look = () => wake.abort();
    this.#watchers.add(look);
    const either = AbortSignal.any([wake.signal, request.signal]);
    await request.clock.until(Math.min(until, nextTime(this.#world)), either);
    this.#watchers.delete(look);
  }

  /** Lets every query that waits answer now. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  dump(): unknown {
    return plain({ ...this.#world });
  }

  /** What has happened by itself since the last request is no write of anybody's: stale reads see it too. */
  #advance(context: Context): void {
    if (nextTime(this.#world) > context.now) return;
    const isUnwritten = this.#before === this.#world;
    const world = this.#world.copy();
    advance({ ...context, world });
    this.#world = world;
    if (isUnwritten) this.#before = world;
    this.#wake();
  }

  #wake(): void {
    this.#changes++;
    for (const look of this.#watchers) look();
  }

  #store(world: World): void {
    this.#before = this.#world;
    this.#world = world;
    this.#wake();
  }
}
