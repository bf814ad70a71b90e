import { promisify } from "node:util";
import {
  brotliDecompress,
  brotliDecompressSync,
  gunzip,
  gunzipSync,
  inflate,
  inflateRaw,
  inflateRawSync,
  inflateSync,
} from "node:zlib";
import { ExchangeFailure, systemCode } from "./failure";

/** The encodings that {@link decode} supports. */
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
export async function decode(
  body: Buffer,
  contentEncoding: string | undefined,
  maxBytes: number,
): Promise<string> {
  const layers = (contentEncoding ?? "")
    .toLowerCase()
    .split(",")
    .map((layer) => layer.trim());
  const encodings = layers.filter((layer) => layer !== "" && layer !== "identity").reverse();
  if (encodings.length > MOST_LAYERS) throw undecodable(`it is encoded ${encodings.length} times`);
  let bytes = body;
  for (const encoding of body.length === 0 ? [] : encodings)
    bytes = await layerOff(bytes, encoding, maxBytes);
  return new TextDecoder().decode(bytes);
}

async function layerOff(bytes: Buffer, encoding: string, maxOutputLength: number): Promise<Buffer> {
  const decoder = DECODERS.get(encoding)?.(bytes);
  if (decoder === undefined)
    throw undecodable(`its Content-Encoding ${JSON.stringify(encoding)} was not asked for`);
  try {
    return (
      unfoldedAtOnce(bytes, decoder, maxOutputLength) ?? (await decoder.apart(bytes, { maxOutputLength }))
    );
  } catch (error) {
    const code = systemCode(error);
    if (code === TOO_LARGE) throw new ExchangeFailure("tooLarge", true, code);
    throw new ExchangeFailure("lost", true, code, "its compressed body is torn");
  }
}

const TOO_LARGE = "ERR_BUFFER_TOO_LARGE";

/** Undefined if the body is too large for this thread. */
function unfoldedAtOnce(bytes: Buffer, { atOnce }: Decoder, maxOutputLength: number): Buffer | undefined {
  if (bytes.length > AT_ONCE_BYTES) return undefined;
  try {
    return atOnce(bytes, { maxOutputLength: Math.min(maxOutputLength, AT_ONCE_UNFOLDED_BYTES) });
  } catch (error) {
    if (systemCode(error) === TOO_LARGE) return undefined;
    throw error;
  }
}

type Limits = { maxOutputLength: number };

/** Decompresses an encoding, in this thread or in another thread. */
interface Decoder {
  readonly atOnce: (bytes: Buffer, limits: Limits) => Buffer;
  readonly apart: (bytes: Buffer, limits: Limits) => Promise<Buffer>;
}

const GZIP: Decoder = { atOnce: gunzipSync, apart: promisify(gunzip) };
const ZLIB: Decoder = { atOnce: inflateSync, apart: promisify(inflate) };
const RAW_DEFLATE: Decoder = { atOnce: inflateRawSync, apart: promisify(inflateRaw) };
const BROTLI: Decoder = { atOnce: brotliDecompressSync, apart: promisify(brotliDecompress) };

const DECODERS = new Map<string, (bytes: Buffer) => Decoder>([
  ["gzip", () => GZIP],
  ["x-gzip", () => GZIP],
  ["br", () => BROTLI],
  // RFC 9110, 8.4.1.2: deflate means the zlib format, but some servers omit the zlib header.
  ["deflate", (bytes) => (((bytes[0] ?? 0) & 0x0f) === 8 ? ZLIB : RAW_DEFLATE)],
]);

function undecodable(message: string): ExchangeFailure {
  return new ExchangeFailure("undecodable", true, undefined, message);
}
