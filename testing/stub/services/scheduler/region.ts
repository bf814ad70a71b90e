import { plain } from "../../plain";
import type { StubRequest } from "../../service";
import type { Writer } from "./job-store";
import type { Endpoint, Operation, Outcome } from "./operation";
import { advance, nextTime } from "./progress/advance";
import { World } from "./world";

type Context = Omit<Writer, "world">;

/** One region's state: writes replace it atomically and wake blocking queries. */
export class Region {
  #world = new World();
  /** The state before the latest write, for stale reads. */
  #before = this.#world;
  readonly #watchers = new Set<() => void>();
  #isClosed = false;
  #changes = 0;

  /** True once a reset has replaced this region: it never changes again. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Serves a request from a copy of the state; the copy replaces the state only if the request succeeds. */
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

  /** The number of changes so far. */
  get changes(): number {
    return this.#changes;
  }

  /**
   * Resolves at the next write, at the next scheduled step, at `until`, or when the caller disconnects. Resolves immediately
   * if the number of changes is no longer `since`.
   */
  async nextChange(request: StubRequest, until: number, since: number): Promise<void> {
    if (this.#changes !== since) return;
    const wake = new AbortController();
    const look = () => wake.abort();
    this.#watchers.add(look);
    const either = AbortSignal.any([wake.signal, request.signal]);
    await request.clock.until(Math.min(until, nextTime(this.#world)), either);
    this.#watchers.delete(look);
  }

  /** Ends every blocking query now. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  dump(): unknown {
    return plain({ ...this.#world });
  }

  /** Scheduled steps are not writes, so stale reads see their results too. */
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
