/**
 * Finds the starts of requests in a connection's bytes. Node's parser rejects the verb LIST, so a LIST becomes a GET with a
 * header. All other bytes, including bodies, pass unchanged. After bytes that it cannot parse, everything passes unchanged,
 * and Node's parser reports the error.
 */
export class RequestFraming {
  readonly #mark: Buffer;
  #state: "head" | "body" | "chunk size" | "trailers" | "opaque" = "head";
  /** The received part of an incomplete head or chunk size line. */
  #held: Buffer = NOTHING;
  /** The remaining bytes of the body, or of a chunk with its line end. */
  #left = 0;

  /** `mark` is the header line that distinguishes a LIST from a GET. It must be secret, so that no client can send it. */
  constructor(mark: string) {
    this.#mark = Buffer.from(`\r\n${mark}`, "latin1");
  }

  /** Returns the bytes to pass on for the received bytes. */
  pass(bytes: Buffer): readonly Buffer[] {
    const passed: Buffer[] = [];
    let rest = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    this.#held = NOTHING;
    while (rest.length > 0) {
      const taken = this.#take(rest, passed);
      if (taken === 0) {
        this.#held = rest;
        break;
      }
      rest = rest.subarray(taken);
    }
    return passed;
  }

  /** Returns the retained bytes of a connection that ended in the middle of a head. */
  end(): Buffer {
    const held = this.#held;
    this.#held = NOTHING;
    this.#state = "opaque";
    return held;
  }

  /** Passes on as much of `rest` as possible and returns the number of bytes; 0 means that it needs more. */
  #take(rest: Buffer, passed: Buffer[]): number {
    switch (this.#state) {
      case "head":
        return this.#takeHead(rest, passed);
      case "chunk size":
        return this.#takeLine(rest, passed, (line) => this.#enterChunk(line));
      case "trailers":
        return this.#takeLine(rest, passed, (line) => {
          if (line === "") this.#state = "head";
        });
      case "body": {
        const taken = Math.min(this.#left, rest.length);
        this.#left -= taken;
        if (this.#left === 0) this.#state = this.#afterBody;
        passed.push(rest.subarray(0, taken));
        return taken;
      }
      case "opaque":
        passed.push(rest);
        return rest.length;
    }
  }

  #afterBody: "head" | "chunk size" = "head";

  #takeHead(rest: Buffer, passed: Buffer[]): number {
    // Line ends before a request are allowed; the parser skips them.
    if (rest[0] === CR || rest[0] === LF) {
      passed.push(rest.subarray(0, 1));
      return 1;
    }
    if (!isTokenStart(rest[0])) return this.#giveUp(rest, passed);
    const end = rest.indexOf(HEAD_END);
    if (end < 0) return this.#holdOrGiveUp(rest, passed);
    const length = end + HEAD_END.length;
    const head = rest.toString("latin1", 0, length);
    this.#enterBody(head);
    if (this.#state !== "opaque" && head.startsWith("LIST ")) {
      const lineEnd = rest.indexOf("\r\n");
      passed.push(GET, rest.subarray(LIST_LENGTH, lineEnd), this.#mark, rest.subarray(lineEnd, length));
    } else {
      passed.push(rest.subarray(0, length));
    }
    return length;
  }

  /** RFC 9112, section 6.3: the length of the body. */
  #enterBody(head: string): void {
    let length: string | undefined;
    let coding: string | undefined;
    for (const [, name = "", value = ""] of head.matchAll(FRAMING_HEADERS)) {
      if (name.length === CONTENT_LENGTH) length = length === undefined ? value.trim() : "twice";
      else coding = coding === undefined ? value.trim() : "twice";
    }
    if (head.startsWith("CONNECT ") || (length !== undefined && coding !== undefined)) {
      this.#state = "opaque";
    } else if (coding !== undefined) {
      this.#state = coding.toLowerCase() === "chunked" ? "chunk size" : "opaque";
      this.#afterBody = "chunk size";
    } else if (length !== undefined) {
      this.#left = /^\d{1,15}$/.test(length) ? Number(length) : -1;
      this.#state = this.#left < 0 ? "opaque" : this.#left === 0 ? "head" : "body";
      this.#afterBody = "head";
    }
  }

  #enterChunk(line: string): void {
    const size = /^[0-9a-fA-F]{1,12}(?=[;\s]|$)/.exec(line);
    if (size === null) {
      this.#state = "opaque";
      return;
    }
    const length = Number.parseInt(size[0], 16);
    this.#left = length + LINE_END.length;
    this.#state = length === 0 ? "trailers" : "body";
  }

  #takeLine(rest: Buffer, passed: Buffer[], then: (line: string) => void): number {
    const end = rest.indexOf(LINE_END);
    if (end < 0) return this.#holdOrGiveUp(rest, passed);
    then(rest.toString("latin1", 0, end));
    passed.push(rest.subarray(0, end + LINE_END.length));
    return end + LINE_END.length;
  }

  /** Passes on a head that is longer than any parser accepts, so that the parser rejects it. */
  #holdOrGiveUp(rest: Buffer, passed: Buffer[]): number {
    return rest.length < LONGEST_HEAD ? 0 : this.#giveUp(rest, passed);
  }

  /** Passes everything on unchanged from here; the parser reports the error. */
  #giveUp(rest: Buffer, passed: Buffer[]): number {
    this.#state = "opaque";
    passed.push(rest);
    return rest.length;
  }
}

/** True for a byte that can start a verb. The first byte of a TLS connection cannot. */
const isTokenStart = (byte: number | undefined) => byte !== undefined && byte > 32 && byte < 127;

const NOTHING: Buffer = Buffer.alloc(0);
const CR = 13;
const LF = 10;
const LINE_END = Buffer.from("\r\n");
const HEAD_END = Buffer.from("\r\n\r\n");
const GET = Buffer.from("GET ");
const LIST_LENGTH = "LIST ".length;
const CONTENT_LENGTH = "content-length".length;
const FRAMING_HEADERS = /\r\n(content-length|transfer-encoding):([^\r\n]*)/gi;
const LONGEST_HEAD = 64 * 1024;
