import { AsyncLocalStorage } from "node:async_hooks";
import { Dispatcher } from "undici";
import type { Client } from "../../provider/core/http/client";
import type { HttpRequest } from "../../provider/core/http/request";
import { onlyAsks } from "../../testing/stub/asking";
import type { StubClock } from "../../testing/stub/clock";
import { type Answer, encode } from "../../testing/stub/frame/answer";
import { type Asked, ServiceDoor } from "../../testing/stub/frame/service-door";
import type { StubService } from "../../testing/stub/service";
import { exactly } from "./dumped";
import type { VirtualTime } from "./time";

/** Reads with which a connection finds the server that holds the latest write; every connection asks once. */
const ABOUT_CLUSTER: ReadonlySet<string> = new Set([
  "/v1/sys/leader",
  "/v1/agent/self",
  "/v1/acl/replication",
]);

export const isAboutCluster = (sent: Pick<Sent, "target"> | undefined) =>
  sent !== undefined && ABOUT_CLUSTER.has(sent.target);

/** The first read of the object, or of a list with it. */
export const firstLook = (requests: readonly Sent[]) =>
  requests.find((sent) => sent.isRead && !isAboutCluster(sent));

/** One request as it goes over the wire. */
export interface Sent {
  readonly method: string;
  /** With its query. */
  readonly target: string;
  readonly body: string;
  /** The id that all attempts of a request have. */
  readonly id?: string | undefined;
  /** By the service's own request: everything else may change something. */
  readonly isRead: boolean;
  /** Whether what it does is done once: what sends it says so, or the definition does nothing else. */
  readonly isSingleUse: boolean;
  /** How often the service has carried it out. */
  carriedOut: number;
  /** Whether it has changed anything: a password that was made anew, and a time, too. */
  isDone: boolean;
  /** Whether its sender got just the answer that the service gave. */
  isHeard: boolean;
}

/** What a fault may do with one request on its way. */
export interface Passage {
  readonly sent: Sent;
  readonly time: VirtualTime;
  /** Has the service carry it out, now; more than once where it is called so. */
  carryOut(how?: { readonly stale: boolean }): Promise<Answer>;
  /** The client has its answer. */
  answer(answer: Answer): void;
  /** Half of an answer, and then the end of the connection. */
  tear(answer: Answer): void;
  /** The connection is reset. */
  reset(): void;
  /** The connection never stood, so that nothing was sent; only before anything else. */
  refuse(): void;
}

/** What happens to a request; where it does nothing with it nobody ever hears of it again. */
export type Happening = (passage: Passage) => void | Promise<void>;

/** Nothing happens: it is carried out and answered. */
export const passes: Happening = async (passage) => passage.answer(await passage.carryOut());

/**
 * The way to a service in this process: the real HTTP client on one side, the stub's own routes on the other, no socket
 * between them, and whatever happens to each request.
 */
export class Wire extends Dispatcher {
  readonly requests: Sent[] = [];
  /** What happens to the next request, by how many there were since the test began to count. */
  happening: (sent: Sent) => Happening = () => passes;
  /** What is looked at whenever the service has carried a request out. */
  afterwards: (sent: Sent) => void = () => undefined;
  readonly #door: ServiceDoor;
  /** What the client says of the request that it is about to send. */
  readonly #said = new AsyncLocalStorage<HttpRequest["nature"]>();

  /** @param actsOnce whether whatever the definition changes is done once: it is an action, or a procedure */
  constructor(
    private readonly service: StubService,
    private readonly time: VirtualTime,
    clock: StubClock,
    private readonly actsOnce: boolean,
  ) {
    super();
    this.#door = new ServiceDoor(service, clock);
  }

  /** The same client, whose requests are known here for what it says that they are. */
  heard(client: Client): Client {
    return {
      send: (request) => this.#said.run(request.nature, () => client.send(request)),
      close: () => client.close(),
    };
  }

  /** All that the service knows. What a scheduler has done by itself meanwhile shows once somebody asks it. */
  private async known(asked: Asked): Promise<string> {
    if (this.service.name === "scheduler")
      await this.#door.ask({ ...asked, method: "GET", path: "/v1/jobs", body: Buffer.from("") });
    return exactly(this.service.dump());
  }

  /** Only what nothing else tells from a read is judged by its method. */
  private natureOf(method: string, path: string): { isRead: boolean; isSingleUse: boolean } {
    const said = this.#said.getStore();
    if (said === undefined) throw new Error(`a request of which nobody says what it is: ${method} ${path}`);
    const isRead = said === "read" || (said === "write" && natureOf(method, path).isRead);
    return { isRead, isSingleUse: said === "single-use" || (this.actsOnce && !isRead) };
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const controller = new Controller(handler);
    const body = String(options.body ?? "");
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
    let given: Answer | undefined;
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
          body: Buffer.from(body),
          signal: NEVER,
          stale,
        };
        const before = sent.isRead ? "" : await this.known(asked);
        const { response, exception } = await this.#door.ask(asked);
        if (exception !== undefined) throw new Error(exception);
        if (!sent.isRead && (await this.known(asked)) !== before) sent.isDone = true;
        this.afterwards(sent);
        const answer = await encode(response, undefined);
        given = answer;
        return answer;
      },
      answer: (answer) => {
        sent.isHeard = answer === given && !controller.aborted;
        controller.answer(answer, answer.body, true);
      },
      tear: (answer) => controller.answer(answer, answer.body.subarray(0, answer.body.length >> 1), false),
      reset: () => controller.fail("ECONNRESET", "other side closed"),
      refuse: () => controller.fail("ECONNREFUSED", "connect ECONNREFUSED"),
    };
    const happening = this.happening(sent);
    if (happening !== refused) controller.start();
    void happening(passage);
    return true;
  }
}

/** The connection never stands: of all that happens the only one that comes before the request is written. */
export const refused: Happening = (passage) => passage.refuse();

/** Requests that are for one time, by their targets: a GET of credentials is among them. */
const MAKES =
  /\/(creds|sts)\/|\/check-out|^(POST|PUT) .*(\/rotate(?!\/recovery\/init)|\/rekey[\w-]*\/(update|verify)|\/force-unlock)|^DELETE .*-key-backup/;

const NEVER = new AbortController().signal;

/** What a request is by its method and target, where nobody says it: whether it changes nothing, and whether it is for one time. */
export function natureOf(method: string, target: string): { isRead: boolean; isSingleUse: boolean } {
  const isSingleUse = MAKES.test(`${method} ${target}`);
  const [path = ""] = target.split("?");
  return { isRead: onlyAsks(method, path) && !isSingleUse, isSingleUse };
}

/** One answer on its way back; whoever gave up hears no more of it. */
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
