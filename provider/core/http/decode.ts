import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { ExchangeFailure, systemCode } from "./exchange";

/** The encodings that {@link decodeBody} supports. */
export const ACCEPTED_ENCODINGS = "gzip, deflate, br";

/** More layers than any legitimate response needs would be an attack. */
const MOST_LAYERS = 3;

/**
 * Decompresses bodies up to this size in this thread, if the result fits into the second limit. Passing the body to another
 * thread would take longer, and a write that follows a read must not wait.
 */
const AT_ONCE_BYTES = 16 * 1024;
const AT_ONCE_UNFOLDED_BYTES = 512 * 1024;

/**
 * Decompresses a body according to its Content-Encoding and returns its text.
 * @throws ExchangeFailure if the body is corrupt, uses an encoding that was not requested, or exceeds the cap: a small body
 * may decompress to any size.
 */
export async function decodeBody(
  body: Buffer,
  contentEncoding: string | undefined,
  maxBytes: number,
): Promise<string> {
  const layers = (contentEncoding ?? "")
    .toLowerCase()
    .split(",")
    .map((layer) => layer.trim());
  const encodings = layers.filter((layer) => layer !== "" && layer !== "identity").reverse();
  if (encodings.length > MOST_LAYERS) throw undecodable(`it has ${encodings.length} content encodings`);
  let bytes = body;
  for (const encoding of body.length === 0 ? [] : encodings)
    bytes = await decodeLayer(bytes, encoding, maxBytes);
  return new TextDecoder().decode(bytes);
}

async function decodeLayer(bytes: Buffer, encoding: string, maxOutputLength: number): Promise<Buffer> {
  const decoder = DECODERS.get(encoding)?.(bytes);
  if (decoder === undefined)
    throw undecodable(`its Content-Encoding ${JSON.stringify(encoding)} was not requested`);
  try {
    const small = Math.min(maxOutputLength, AT_ONCE_UNFOLDED_BYTES);
    if (bytes.length <= AT_ONCE_BYTES) return decoder.atOnce(bytes, { maxOutputLength: small });
  } catch (error) {
    if (systemCode(error) !== TOO_LARGE) throw incompleteBody(error);
  }
  try {
    return await decoder.apart(bytes, { maxOutputLength });
  } catch (error) {
    throw systemCode(error) === TOO_LARGE
      ? new ExchangeFailure("tooLarge", true, TOO_LARGE)
      : incompleteBody(error);
  }
}

const TOO_LARGE = "ERR_BUFFER_TOO_LARGE";

type Limits = { maxOutputLength: number };

/** Decompresses an encoding, in this thread or in another thread. */
interface Decoder {
  readonly atOnce: (bytes: Buffer, limits: Limits) => Buffer;
  readonly apart: (bytes: Buffer, limits: Limits) => Promise<Buffer>;
}

const GZIP: Decoder = { atOnce: zlib.gunzipSync, apart: promisify(zlib.gunzip) };
const ZLIB: Decoder = { atOnce: zlib.inflateSync, apart: promisify(zlib.inflate) };
const RAW_DEFLATE: Decoder = { atOnce: zlib.inflateRawSync, apart: promisify(zlib.inflateRaw) };
const BROTLI: Decoder = { atOnce: zlib.brotliDecompressSync, apart: promisify(zlib.brotliDecompress) };

const DECODERS = new Map<string, (bytes: Buffer) => Decoder>([
  ["gzip", () => GZIP],
  ["x-gzip", () => GZIP],
  ["br", () => BROTLI],
  // RFC 9110, 8.4.1.2: deflate means the zlib format, but some servers omit the zlib header.
  ["deflate", (bytes) => (((bytes[0] ?? 0) & 0x0f) === 8 ? ZLIB : RAW_DEFLATE)],
]);

function incompleteBody(error: unknown): ExchangeFailure {
  return new ExchangeFailure("lost", true, systemCode(error), "its compressed body is incomplete");
}

function undecodable(message: string): ExchangeFailure {
  return new ExchangeFailure("undecodable", true, undefined, message);
}
