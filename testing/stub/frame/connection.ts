import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { RequestFraming } from "./request-framing";

/** Only this process knows it, so no client can disguise a GET as a LIST. */
const MARK = randomUUID();
const MARK_HEADER = "x-stub-verb";

/** A client's connection as Node's HTTP server reads it, with the verb LIST encoded for Node's parser. */
export class Connection extends Duplex {
  readonly #socket: Socket;
  readonly #framing = new RequestFraming(`${MARK_HEADER}: ${MARK}`);

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (bytes) => this.#hand(this.#framing.pass(bytes)));
    socket.on("end", () => {
      this.#hand([this.#framing.end()]);
      this.push(null);
    });
    socket.on("error", () => this.destroy());
    socket.on("close", () => this.destroy());
  }

  /** Resets the connection, as a crash would. */
  reset(): void {
    this.#socket.resetAndDestroy();
    this.destroy();
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(bytes, done);
  }

  override _writev(
    writes: readonly { readonly chunk: Buffer; readonly encoding: BufferEncoding }[],
    done: (error?: Error | null) => void,
  ): void {
    this.#socket.write(Buffer.concat(writes.map(({ chunk }) => chunk)), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(() => done());
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  #hand(pieces: readonly Buffer[]): void {
    let isWanted = true;
    for (const piece of pieces) if (piece.length > 0) isWanted = this.push(piece);
    if (!isWanted) this.#socket.pause();
  }
}

/** The verb and the headers as the client sent them. */
export function asSent(request: IncomingMessage): { method: string; headers: IncomingHttpHeaders } {
  const { [MARK_HEADER]: mark, ...headers } = request.headers;
  if (mark === undefined) return { method: request.method ?? "", headers: request.headers };
  // Node appends a client's own header of that name to the mark, after a comma.
  const [first, ...own] = String(mark).split(", ");
  if (first !== MARK) return { method: request.method ?? "", headers: request.headers };
  return {
    method: "LIST",
    headers: own.length === 0 ? headers : { ...headers, [MARK_HEADER]: own.join(", ") },
  };
}
