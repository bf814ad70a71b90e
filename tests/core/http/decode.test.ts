import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { decodeBody } from "../../../provider/core/http/decode";
import { ExchangeFailure } from "../../../provider/core/http/exchange";

const CAP = 8 * 1024 * 1024;

const COMPRESSORS: [string, (text: string) => Buffer][] = [
  ["gzip", gzipSync],
  ["x-gzip", gzipSync],
  ["deflate", deflateSync],
  ["deflate", deflateRawSync],
  ["br", brotliCompressSync],
];

/** Returns text that compresses badly, so that its compressed body is about as long. */
function noise(length: number): string {
  let text = "";
  for (let state = 1; text.length < length; state = (state * 48_271) % 2_147_483_647)
    text += state.toString(36);
  return text.slice(0, length);
}

/** Decodes a body and returns whether this finished before the next turn of the event loop. */
async function decodesInCurrentTurn(body: Buffer, encoding: string): Promise<boolean> {
  let isDecoded = false;
  const decoding = decodeBody(body, encoding, CAP).then(() => {
    isDecoded = true;
  });
  // Microtasks run in the current turn. The result of another thread arrives only in a later turn.
  for (let tasks = 0; tasks < 100 && !isDecoded; tasks++) await undefined;
  const wasInTurn = isDecoded;
  await decoding;
  return wasInTurn;
}

describe.each(COMPRESSORS)("body compressed with %s (%#)", (encoding, compress) => {
  test.each([0, 1, 4_000, 100_000, 2_000_000])("of %i characters is decoded", async (length) => {
    const text = noise(length);
    expect(await decodeBody(compress(text), encoding, CAP)).toBe(text);
  });

  // A write that follows a read must not wait for other requests.
  test("is decoded in the current event-loop turn only if it is small before and after decompression", async () => {
    expect(await decodesInCurrentTurn(compress(noise(4_000)), encoding)).toBe(true);
    expect(await decodesInCurrentTurn(compress(noise(100_000)), encoding)).toBe(false);
    expect(await decodesInCurrentTurn(compress("x".repeat(2_000_000)), encoding)).toBe(false);
  });

  test.each([
    [1_000, 2_000],
    [1_000_000, 2_000_000],
  ])("is rejected as too large if the limit is %i bytes", async (cap, length) => {
    const read = decodeBody(compress("x".repeat(length)), encoding, cap);
    await expect(read).rejects.toMatchObject({ reason: "tooLarge" });
  });

  test.each([4_000, 100_000])("of %i characters is rejected as lost if it is truncated", async (length) => {
    const body = compress(noise(length));
    const read = decodeBody(body.subarray(0, body.length - 10), encoding, CAP);
    await expect(read).rejects.toMatchObject({ reason: "lost" });
  });
});

test.each(["zstd", "constructor", "toString", "__proto__"])(
  "decode rejects the unsupported encoding %s",
  async (encoding) => {
    const failure = await decodeBody(Buffer.from("{}"), encoding, CAP).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ExchangeFailure);
    expect(failure).toMatchObject({ reason: "undecodable" });
  },
);
