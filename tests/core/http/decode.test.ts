import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { decode } from "../../../provider/core/http/decode";
import { ExchangeFailure } from "../../../provider/core/http/exchange";

const CAP = 8 * 1024 * 1024;

const COMPRESSORS: [string, (text: string) => Buffer][] = [
  ["gzip", gzipSync],
  ["x-gzip", gzipSync],
  ["deflate", deflateSync],
  ["deflate", deflateRawSync],
  ["br", brotliCompressSync],
];

/** A text that compresses badly, so that its body is about as long. */
function noise(length: number): string {
  let text = "";
  for (let state = 1; text.length < length; state = (state * 48_271) % 2_147_483_647)
    text += state.toString(36);
  return text.slice(0, length);
}

/** Whether a body's text is there before anything else of the event loop has its turn. */
async function isAtOnce(body: Buffer, encoding: string): Promise<boolean> {
  let others = 0;
  const other = setImmediate(() => {
    others += 1;
  });
  await decode(body, encoding, CAP);
  clearImmediate(other);
  return others === 0;
}

describe.each(COMPRESSORS)("a body that is compressed with %s", (encoding, compress) => {
  test.each([0, 1, 4_000, 100_000, 2_000_000])("of %i characters is read", async (length) => {
    const text = noise(length);
    expect(await decode(compress(text), encoding, CAP)).toBe(text);
  });

  // What is written after a look must not wait for others.
  test("is read at once where it is small, and apart where it or what it unfolds to is not", async () => {
    expect(await isAtOnce(compress(noise(4_000)), encoding)).toBe(true);
    expect(await isAtOnce(compress(noise(100_000)), encoding)).toBe(false);
    expect(await isAtOnce(compress("x".repeat(2_000_000)), encoding)).toBe(false);
  });

  test.each([
    [1_000, 2_000],
    [1_000_000, 2_000_000],
  ])("is dropped beyond a cap of %i", async (cap, length) => {
    const read = decode(compress("x".repeat(length)), encoding, cap);
    await expect(read).rejects.toMatchObject({ reason: "tooLarge" });
  });

  test.each([4_000, 100_000])("of %i characters is lost where it is torn", async (length) => {
    const body = compress(noise(length));
    const read = decode(body.subarray(0, body.length - 10), encoding, CAP);
    await expect(read).rejects.toMatchObject({ reason: "lost" });
  });
});

test.each(["zstd", "constructor", "toString", "__proto__"])(
  "the encoding %s was not asked for",
  async (encoding) => {
    const failure = await decode(Buffer.from("{}"), encoding, CAP).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ExchangeFailure);
    expect(failure).toMatchObject({ reason: "undecodable" });
  },
);
