import { Agent, Dispatcher, errors } from "undici";
import { type Client, createClient } from "../../../provider/core/http/client";
import { type ClientOptions, systemRuntime } from "../../../provider/core/http/options";
import type { HttpRequest, HttpResponse } from "../../../provider/core/http/request";
import type { World } from "../../steps/world";
import type { Failover } from "./failover";

/** The request of a step that meets the failover: the first one, or the first write. */
export type Meeting = "the first request" | "the write";

/** The real HTTP client for one server of a cluster. One of its requests meets the failover. */
export class StoryClient {
  readonly world: World;
  #failover: Failover | undefined;
  #meeting: Meeting = "the write";
  #before = 0;
  #beforeLoss: (() => Promise<void>) | undefined;
  readonly #agent = new Agent();

  /** @param otherUser a world of the same service, which provides the settings */
  constructor(otherUser: World, address: string, token: string) {
    this.world = otherUser.with({ address, token }).by({
      runtime: systemRuntime,
      createClient: (options) => this.#client(options),
    });
  }

  /** The next request of this kind meets the failover, or the `number`-th one of this kind. */
  arm(failover: Failover, meeting: Meeting, number = 1): void {
    this.#failover = failover;
    this.#meeting = meeting;
    this.#before = number - 1;
  }

  /** True if a request has met the failover. */
  get hasMet(): boolean {
    return this.#failover === undefined;
  }

  /** Ends the wait for a request. Returns whether a request has met the failover. */
  disarm(): boolean {
    const { hasMet } = this;
    this.#failover = undefined;
    return hasMet;
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #client(options: ClientOptions): Client {
    const own = createClient(options);
    const lossy = createClient({
      ...options,
      dispatcher: new LossyDispatcher(this.#agent, () => this.#takeBeforeLoss()),
    });
    return {
      close: async () => {
        await own.close();
        await lossy.close();
      },
      send: async (request) => {
        const failover = this.#failover;
        if (failover === undefined || !this.#meetsFailover(request)) return own.send(request);
        if (this.#before-- > 0) return own.send(request);
        this.#failover = undefined;
        if (failover.moment !== "answered") {
          await failover.meet();
          return afterFailover(failover, own.send(request));
        }
        this.#beforeLoss = () => failover.meet();
        return lossy.send(request);
      },
    };
  }

  #meetsFailover({ nature, path }: HttpRequest): boolean {
    // The request for the cluster's leader does not belong to a step.
    return this.#meeting === "the write" ? nature !== "read" : !path.endsWith("/sys/leader");
  }

  /** Runs before the next response is lost. Only the first response to a request is lost. */
  #takeBeforeLoss(): (() => Promise<void>) | undefined {
    const beforeLoss = this.#beforeLoss;
    this.#beforeLoss = undefined;
    return beforeLoss;
  }
}

/** The response to a request. A failure is reported after everything that follows the failover. */
async function afterFailover(failover: Failover, answer: Promise<HttpResponse>): Promise<HttpResponse> {
  try {
    return await answer;
  } catch (error) {
    await failover.ended;
    throw error;
  }
}

/** A dispatcher that breaks the connection after the server has answered. */
class LossyDispatcher extends Dispatcher {
  constructor(
    private readonly agent: Dispatcher,
    private readonly next: () => (() => Promise<void>) | undefined,
  ) {
    super();
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const beforeLoss = this.next();
    if (beforeLoss === undefined) return this.agent.dispatch(options, handler);
    const lost = (controller: Dispatcher.DispatchController | null) => {
      const broken = new errors.SocketError("other side closed");
      // Undici passes a controller to the error handler, except if the connection was never open.
      const report = () => handler.onResponseError?.(controller as Dispatcher.DispatchController, broken);
      beforeLoss().then(report, report);
    };
    return this.agent.dispatch(options, {
      onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
      onResponseStart: () => undefined,
      onResponseData: () => undefined,
      onResponseEnd: lost,
      onResponseError: lost,
    });
  }
}
