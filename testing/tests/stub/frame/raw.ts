import { connect, type Socket } from "node:net";

/** A client that writes bytes and reads bytes, so that nothing is put right on the way. */
export class RawClient {
  readonly #socket: Socket;
  readonly #closed = Promise.withResolvers<void>();
  readonly #waiting = new Set<() => void>();
  #text = "";
  /** The code of the error that ended the connection: `ECONNRESET`. */
  error: string | undefined;

  constructor(port: number) {
    this.#socket = connect(port, "127.0.0.1");
    this.#socket.setEncoding("latin1");
    this.#socket.on("data", (text) => {
      this.#text += text;
      for (const look of this.#waiting) look();
    });
    this.#socket.on("error", (error: NodeJS.ErrnoException) => {
      this.error = error.code;
    });
    this.#socket.on("close", () => {
      this.#closed.resolve();
      for (const look of this.#waiting) look();
    });
  }

  /** Everything that has been received. */
  get text(): string {
    return this.#text;
  }

  async send(bytes: string | Buffer): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#socket.write(bytes, () => resolve());
    await promise;
  }

  /** The JSON bodies of the first `count` answers, once they are there or the connection has ended. */
  async answers(count: number): Promise<unknown[]> {
    await this.until((text) => bodiesIn(text).length >= count);
    return bodiesIn(this.#text);
  }

  /** Everything received, once the connection has ended. */
  async closed(): Promise<string> {
    await this.#closed.promise;
    return this.#text;
  }

  end(): void {
    this.#socket.destroy();
  }

  /** Ends once what has been received is so, or the connection has ended. */
  async until(isSo: (text: string) => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      if (isSo(this.#text) || this.#socket.destroyed) resolve();
    };
    this.#waiting.add(look);
    look();
    await promise;
    this.#waiting.delete(look);
  }
}

function bodiesIn(text: string): unknown[] {
  const bodies: unknown[] = [];
  let rest = text;
  for (;;) {
    const head = /^HTTP\/1\.1 \d+[\s\S]*?\r\n\r\n/.exec(rest)?.[0];
    if (head === undefined) return bodies;
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const body = rest.slice(head.length, head.length + length);
    if (body.length < length) return bodies;
    bodies.push(JSON.parse(body));
    rest = rest.slice(head.length + length);
  }
}
