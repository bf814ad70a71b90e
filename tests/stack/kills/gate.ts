import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import type { Stub } from "../../../testing/stub";
import { SERVICE_NAMES, type ServiceName } from "../../../testing/stub";
import { natureOf } from "../../faults/wire";

/** Whether the sender of a request is hit before or after the request is applied. */
export type Moment = "before" | "after";

/** A disturbance at one request of an operation. */
export interface Trouble {
  /** The number of the request, from 0, or a condition: the first request that meets it. */
  readonly at: number | ((passed: Pick<Passed, "method" | "path">) => boolean);
  /** "before": the server never applies the request; "after": it does, and no one receives the response. */
  readonly moment: Moment;
  act(): void;
  /** Whether the sender survives, and can receive a response after the disturbance. */
  readonly isSurvived: boolean;
}

/** A cancel reaches the plugin through the engine. Most requests end earlier, because their sender aborts them. */
const CANCELED_BY_THEN_MS = 1500;

/** A request that reached the gate. */
export interface Passed {
  readonly method: string;
  readonly path: string;
  readonly isRead: boolean;
  readonly isSingleUse: boolean;
  readonly isCarriedOut: boolean;
}

/** A proxy in front of all four services that records the requests. Its addresses stay the same if the stub changes. */
export class Gate {
  /** The requests since the operation began. */
  passed: Passed[] = [];
  trouble: Trouble | undefined;
  readonly addresses: Partial<Record<ServiceName, string>> = {};
  private readonly servers: Server[] = [];

  private constructor(public stub: Stub) {}

  static async before(stub: Stub): Promise<Gate> {
    const gate = new Gate(stub);
    for (const name of SERVICE_NAMES) {
      const server = createServer((asked, answer) => void gate.pass(name, asked, answer));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      // A server that listens on a port has an address of this type.
      gate.addresses[name] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      gate.servers.push(server);
    }
    return gate;
  }

  stop(): void {
    for (const server of this.servers) {
      server.closeAllConnections();
      server.close();
    }
  }

  private async pass(service: ServiceName, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = "", url = "" } = asked;
    const number = this.passed.length;
    const trouble = this.troubleAt(number, { method, path: url });
    if (typeof trouble?.at === "function") this.trouble = undefined;
    const isCarriedOut = trouble?.moment !== "before";
    this.passed.push({ method, path: url, ...natureOf(method, url), isCarriedOut });
    const chunks: Buffer[] = [];
    for await (const chunk of asked) chunks.push(chunk);
    const forwarded = isCarriedOut ? await this.forwarded(service, asked, Buffer.concat(chunks)) : undefined;
    if (trouble) {
      trouble.act();
      if (!trouble.isSurvived) return;
      await Promise.race([once(answer, "close"), setTimeout(CANCELED_BY_THEN_MS)]);
    }
    if (forwarded === undefined) {
      asked.socket.destroy();
      return;
    }
    answer.writeHead(forwarded.status, forwarded.headers).end(forwarded.body);
  }

  private troubleAt(number: number, passed: Pick<Passed, "method" | "path">): Trouble | undefined {
    const at = this.trouble?.at;
    const isMet = typeof at === "function" ? at(passed) : at === number;
    return isMet ? this.trouble : undefined;
  }

  private forwarded(service: ServiceName, { method, url, headers }: IncomingMessage, body: Buffer) {
    const { hostname, port } = new URL(this.stub.addresses[service]);
    return new Promise<{ status: number; headers: IncomingMessage["headers"]; body: Buffer }>(
      (resolve, reject) => {
        const sent = request({ hostname, port, method, path: url, headers, agent: false }, (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () => {
            const { "transfer-encoding": _, connection: __, ...others } = response.headers;
            resolve({ status: response.statusCode ?? 0, headers: others, body: Buffer.concat(chunks) });
          });
        });
        sent.on("error", reject);
        sent.end(body);
      },
    );
  }
}
