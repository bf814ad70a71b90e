import { AsyncLocalStorage } from "node:async_hooks";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { Dispatcher } from "undici";
import type { Client } from "../../provider/core/http/client";
import type { HttpRequest } from "../../provider/core/http/request";
import { onlyAsks } from "../../testing/stub/asking";
import type { StubClock } from "../../testing/stub/clock";
import { type Answer, encode } from "../../testing/stub/frame/answer";
import { type Asked, ServiceDoor } from "../../testing/stub/frame/service-door";
import type { StubService } from "../../testing/stub/service";
import { exactly } from "./dump";
import type { VirtualTime } from "./time";

/** Reads that find the cluster's server with the latest write. Every connection sends them once. */
const ABOUT_CLUSTER: ReadonlySet<string> = new Set([
  "/v1/sys/leader",
  "/v1/agent/self",
  "/v1/acl/replication",
]);

export const isAboutCluster = (sent: Pick<Sent, "target"> | undefined) =>
  sent !== undefined && ABOUT_CLUSTER.has(sent.target);

/** The first read of the object, or of a list that contains it. */
export const firstRead = (requests: readonly Sent[]) =>
  requests.find((sent) => sent.isRead && !isAboutCluster(sent));

/** A request as the client sends it. */
export interface Sent {
  readonly method: string;
  /** The path with its query. */
  readonly target: string;
  readonly body: string;
  /** The ID that all attempts of a request have. */
  readonly id?: string | undefined;
  /** Whether the service documents the request as a read. All other requests may change something. */
  readonly isRead: boolean;
  /**
   * Whether the request carries out an action, because the client marks it so or the definition consists of actions.
   */
  readonly isSingleUse: boolean;
  /** How often the service has carried it out. */
  carriedOut: number;
  /** Whether it has changed anything, including generated passwords and times. */
  isDone: boolean;
  /** Whether the client received the service's unchanged response. */
  isHeard: boolean;
}

/** The actions of a fault on a request in flight. */
export interface Passage {
  readonly sent: Sent;
  readonly time: VirtualTime;
  /** Makes the service carry the request out, each time it is called. */
  carryOut(how?: { readonly stale: boolean }): Promise<Answer>;
  /** Returns a response to the client. */
  answer(answer: Answer): void;
  /** Sends half of a response, and closes the connection. */
  truncate(answer: Answer): void;
  /** Resets the connection. */
  reset(): void;
  /** Refuses the connection, so that nothing is sent. Only possible as the first action. */
  refuse(): void;
}

/** What happens to a request. If it calls nothing, the client receives no response. */
export type Happening = (passage: Passage) => void | Promise<void>;

/** No fault: the request is carried out and answered. */
export const passes: Happening = async (passage) => passage.answer(await passage.carryOut());

/** The body of a request that sends a file, in the record of requests. */
export const FILE = "a file";

/**
 * A connection to a service in this process. The real HTTP client is on one side, and the stub's routes are on the
 * other. Faults can change each request.
 */
export class Wire extends Dispatcher {
  readonly requests: Sent[] = [];
  /** What happens to the next request. */
  happening: (sent: Sent) => Happening = () => passes;
  /** Runs each time the service has carried a request out. */
  afterwards: (sent: Sent) => void = () => undefined;
  readonly #door: ServiceDoor;
  /** The client's description of the request that it is about to send. */
  readonly #description = new AsyncLocalStorage<HttpRequest["nature"]>();

  /** @param actsOnce whether the definition consists of actions: it is an action or a procedure */
  constructor(
    private readonly service: StubService,
    private readonly time: VirtualTime,
    clock: StubClock,
    private readonly actsOnce: boolean,
  ) {
    super();
    this.#door = new ServiceDoor(service, clock);
  }

  /** The same client. The wire receives its description of each request. */
  observing(client: Client): Client {
    return {
      send: (request) => this.#description.run(request.nature, () => client.send(request)),
      close: () => client.close(),
    };
  }

  /** The complete content of the service. Nomad's background changes appear only after a request. */
  private async contents(asked: Asked): Promise<string> {
    if (this.service.name === "scheduler")
      await this.#door.ask({ ...asked, method: "GET", path: "/v1/jobs", body: Buffer.from("") });
    return exactly(this.service.dump());
  }

  /** The method decides only if nothing else distinguishes a write from a read. */
  private natureOf(method: string, path: string): { isRead: boolean; isSingleUse: boolean } {
    const description = this.#description.getStore();
    if (description === undefined) throw new Error(`a request without a description: ${method} ${path}`);
    const isRead = description === "read" || (description === "write" && natureOf(method, path).isRead);
    return { isRead, isSingleUse: description === "single-use" || (this.actsOnce && !isRead) };
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const controller = new Controller(handler);
    const { body: given } = options;
    const body = given instanceof Readable ? FILE : String(given ?? "");
    // A late copy of a request has the content that the file had when it was sent.
    const content = given instanceof Readable ? buffer(given) : Promise.resolve(Buffer.from(body));
    content.catch(() => undefined);
    const headers = lowerCased(options.headers);
    const { isRead, isSingleUse } = this.natureOf(options.method, options.path);
    const sent: Sent = {
      method: options.method,
      target: options.path,
      body,
      id: headers["x-request-id"],
      isRead,
      isSingleUse,
      carriedOut: 0,
      isDone: false,
      isHeard: false,
    };
    let carried: Answer | undefined;
    this.requests.push(sent);
    const passage: Passage = {
      sent,
      time: this.time,
      carryOut: async ({ stale } = { stale: false }) => {
        sent.carriedOut += 1;
        const [path = "", search = ""] = sent.target.split(/\?(.*)/s);
        const asked: Asked = {
          method: sent.method,
          path,
          query: new URLSearchParams(search),
          headers: { host: "stub.invalid", ...headers },
          body: await content,
          signal: NEVER,
          stale,
        };
        const before = sent.isRead ? "" : await this.contents(asked);
        const { response, exception } = await this.#door.ask(asked);
        if (exception !== undefined) throw new Error(exception);
        if (!sent.isRead && (await this.contents(asked)) !== before) sent.isDone = true;
        this.afterwards(sent);
        const answer = await encode(response, undefined);
        carried = answer;
        return answer;
      },
      answer: (answer) => {
        sent.isHeard = answer === carried && !controller.aborted;
        controller.answer(answer, answer.body, true);
      },
      truncate: (answer) =>
        controller.answer(answer, answer.body.subarray(0, answer.body.length >> 1), false),
      reset: () => controller.fail("ECONNRESET", "other side closed"),
      refuse: () => controller.fail("ECONNREFUSED", "connect ECONNREFUSED"),
    };
    const happening = this.happening(sent);
    if (happening !== refused) controller.start();
    void happening(passage);
    return true;
  }
}

/** Refuses the connection, before the request is written. */
export const refused: Happening = (passage) => passage.refuse();

/** One-time requests, by method and target. A GET of credentials is among them. */
const MAKES =
  /\/(creds|sts)\/|\/check-out|^(POST|PUT) .*(\/rotate(?!\/recovery\/init)|\/rekey[\w-]*\/(update|verify)|\/force-unlock)|^DELETE .*-key-backup/;

const NEVER = new AbortController().signal;

/** Whether a request is a read, and whether it is a one-time action, by its method and target. */
export function natureOf(method: string, target: string): { isRead: boolean; isSingleUse: boolean } {
  const isSingleUse = MAKES.test(`${method} ${target}`);
  const [path = ""] = target.split("?");
  return { isRead: onlyAsks(method, path) && !isSingleUse, isSingleUse };
}

/** The response to one request. It ignores calls after the client has aborted. */
class Controller implements Dispatcher.DispatchController {
  aborted = false;
  paused = false;
  reason: Error | null = null;

  constructor(private readonly handler: Dispatcher.DispatchHandler) {}

  start(): void {
    this.handler.onRequestStart?.(this, {});
  }

  answer({ status, headers }: Answer, body: Buffer, isWhole: boolean): void {
    if (this.aborted) return;
    this.handler.onResponseStart?.(this, status, { ...headers }, "");
    if (body.length > 0) this.handler.onResponseData?.(this, body);
    if (isWhole) this.handler.onResponseEnd?.(this, {});
    else this.fail("UND_ERR_SOCKET", "other side closed");
  }

  fail(code: string, message: string): void {
    if (!this.aborted) this.handler.onResponseError?.(this, Object.assign(new Error(message), { code }));
  }

  abort(reason: Error): void {
    this.aborted = true;
    this.reason = reason;
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }
}

function lowerCased(headers: Dispatcher.DispatchOptions["headers"]): Record<string, string> {
  const pairs = Object.entries((headers ?? {}) as Record<string, string>);
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));
}
