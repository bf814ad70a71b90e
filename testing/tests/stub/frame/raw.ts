import { connect, type Socket } from "node:net";

/** A client that sends and receives raw bytes, so that no HTTP library corrects them. */
export class RawClient {
  readonly #socket: Socket;
  readonly #closed = Promise.withResolvers<void>();
  readonly #waiting = new Set<() => void>();
  #text = "";
  /** The code of the error that ended the connection, for example `ECONNRESET`. */
  error: string | undefined;

  constructor(port: number) {
    this.#socket = connect(port, "127.0.0.1");
    this.#socket.setEncoding("latin1");
    this.#socket.on("data", (text) => {
      this.#text += text;
      for (const check of this.#waiting) check();
    });
    this.#socket.on("error", (error: NodeJS.ErrnoException) => {
      this.error = error.code;
    });
    this.#socket.on("close", () => {
      this.#closed.resolve();
      for (const check of this.#waiting) check();
    });
  }

  /** The text received so far. */
  get text(): string {
    return this.#text;
  }

  async send(bytes: string | Buffer): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#socket.write(bytes, () => resolve());
    await promise;
  }

  /** Waits for `count` responses or the end of the connection, and returns the JSON bodies received. */
  async answers(count: number): Promise<unknown[]> {
    await this.until((text) => bodiesIn(text).length >= count);
    return bodiesIn(this.#text);
  }

  /** Waits for the end of the connection and returns the text received. */
  async closed(): Promise<string> {
    await this.#closed.promise;
    return this.#text;
  }

  end(): void {
    this.#socket.destroy();
  }

  /** Resolves when the text received meets the condition, or the connection has ended. */
  async until(isComplete: (text: string) => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const check = () => {
      if (isComplete(this.#text) || this.#socket.destroyed) resolve();
    };
    this.#waiting.add(check);
    check();
    await promise;
    this.#waiting.delete(check);
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
