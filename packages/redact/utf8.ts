import type { ViewWriter } from "./view";

/** Writes bytes of UTF-8 into a view, each character with the raw text of all its bytes. */
export class Utf8 {
  #missing = 0;
  #point = 0;
  #start = 0;
  #end = 0;
  /** The bytes of an incomplete character, in case its other bytes never arrive. */
  readonly #pending: [byte: number, start: number, end: number][] = [];

  /** @param broken receives each byte that is part of no character. */
  constructor(
    private readonly writer: ViewWriter,
    private readonly broken: (byte: number, start: number, end: number) => void,
  ) {}

  byte(byte: number, start: number, end: number): void {
    if (this.#missing > 0) {
      if ((byte & 0xc0) === 0x80) {
        this.#point = (this.#point << 6) | (byte & 0x3f);
        this.#end = end;
        this.#missing -= 1;
        this.#pending.push([byte, start, end]);
        if (this.#missing === 0) this.#whole();
        return;
      }
      this.flush();
    }
    if (byte < 0x80) {
      this.writer.put(byte, start, end);
      return;
    }
    const missing =
      byte >= 0xc2 && byte < 0xe0 ? 1 : byte >= 0xe0 && byte < 0xf0 ? 2 : byte >= 0xf0 && byte < 0xf5 ? 3 : 0;
    if (missing === 0) {
      this.broken(byte, start, end);
      return;
    }
    this.#missing = missing;
    this.#point = byte & (0x3f >> missing);
    this.#start = start;
    this.#end = end;
    this.#pending.push([byte, start, end]);
  }

  /** Reports the bytes of a character whose other bytes are missing. */
  flush(): void {
    if (this.#pending.length === 0) return;
    this.#missing = 0;
    for (const [byte, start, end] of this.#pending.splice(0)) this.broken(byte, start, end);
  }

  #whole(): void {
    if (this.#point > 0x10ffff) {
      this.flush();
      return;
    }
    this.#pending.length = 0;
    this.writer.putCodePoint(this.#point, this.#start, this.#end);
  }
}
