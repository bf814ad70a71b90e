import { Agent, Dispatcher, errors } from "undici";
import { type Client, createClient } from "../../../provider/core/http/client";
import { type ClientOptions, systemRuntime } from "../../../provider/core/http/options";
import type { HttpAnswer, HttpRequest } from "../../../provider/core/http/request";
import type { World } from "../../steps/world";
import type { Fall } from "./fall";

/** Which request of a step meets the end of the active server: its first, or its first that writes. */
export type Meeting = "the first request" | "the write";

/** The real client's own way to one server of a cluster, on which one request meets the end of the active one. */
export class StoryWay {
  readonly world: World;
  #fall: Fall | undefined;
  #meeting: Meeting = "the write";
  #before = 0;
  #cut: (() => Promise<void>) | undefined;
  readonly #agent = new Agent();

  /** @param person a way to the same service, of which the settings are taken */
  constructor(person: World, address: string, token: string) {
    this.world = person.with({ address, token }).by({
      runtime: systemRuntime,
      createClient: (options) => this.#client(options),
    });
  }

  /** The next request of this kind meets it, or one after it. */
  arm(fall: Fall, meeting: Meeting, number = 1): void {
    this.#fall = fall;
    this.#meeting = meeting;
    this.#before = number - 1;
  }

  /** True if a request has met the end of the active server. */
  get hasMet(): boolean {
    return this.#fall === undefined;
  }

  /** Whether a request has met it; none will any more. */
  disarm(): boolean {
    const { hasMet } = this;
    this.#fall = undefined;
    return hasMet;
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #client(options: ClientOptions): Client {
    const own = createClient(options);
    const cut = createClient({ ...options, dispatcher: new Cutting(this.#agent, () => this.#cutNow()) });
    return {
      close: async () => {
        await own.close();
        await cut.close();
      },
      send: async (request) => {
        const fall = this.#fall;
        if (fall === undefined || !this.#isMeant(request)) return own.send(request);
        if (this.#before-- > 0) return own.send(request);
        this.#fall = undefined;
        if (fall.moment !== "answered") {
          await fall.meet();
          return afterEnd(fall, own.send(request));
        }
        this.#cut = () => fall.meet();
        return cut.send(request);
      },
    };
  }

  #isMeant({ nature, path }: HttpRequest): boolean {
    // Which server of a cluster is asked is no part of any step.
    return this.#meeting === "the write" ? nature !== "read" : !path.endsWith("/sys/leader");
  }

  /** What the next answer waits for before it is lost; only the first of a request is. */
  #cutNow(): (() => Promise<void>) | undefined {
    const cut = this.#cut;
    this.#cut = undefined;
    return cut;
  }
}

/** The response to a request. A failure is reported after everything that follows the server's end. */
async function afterEnd(fall: Fall, answer: Promise<HttpAnswer>): Promise<HttpAnswer> {
  try {
    return await answer;
  } catch (error) {
    await fall.ended;
    throw error;
  }
}

/** Connections of which one breaks once the service has answered. */
class Cutting extends Dispatcher {
  constructor(
    private readonly agent: Dispatcher,
    private readonly next: () => (() => Promise<void>) | undefined,
  ) {
    super();
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const cut = this.next();
    if (cut === undefined) return this.agent.dispatch(options, handler);
    const lost = (controller: Dispatcher.DispatchController | null) => {
      const broken = new errors.SocketError("other side closed");
      // Undici hands a controller to whoever hears of an error, but for a connection that never stood.
      const told = () => handler.onResponseError?.(controller as Dispatcher.DispatchController, broken);
      cut().then(told, told);
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
