import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";
import { ExchangeFailure, systemCode } from "./failure";

/** The encodings that {@link decoded} takes. */
export const ACCEPTED_ENCODINGS = "gzip, deflate, br";

/** More layers than anybody needs would be an attack. */
const MOST_LAYERS = 3;

/**
 * The text of a body, decompressed by its Content-Encoding.
 * @throws ExchangeFailure where it is torn, in an encoding that was not asked for, or beyond the cap: a small
 * body may unfold to any size.
 */
export async function decoded(
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
  const unfold = DECODERS[encoding];
  if (unfold === undefined)
    throw undecodable(`its Content-Encoding ${JSON.stringify(encoding)} was not asked for`);
  try {
    return await unfold(bytes, { maxOutputLength });
  } catch (error) {
    const code = systemCode(error);
    if (code === "ERR_BUFFER_TOO_LARGE") throw new ExchangeFailure("tooLarge", true, code);
    throw new ExchangeFailure("lost", true, code, "its compressed body is torn");
  }
}

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const gzipDecoder: Decoder = promisify(gunzip);
const zlibDecoder: Decoder = promisify(inflate);
const rawDeflateDecoder: Decoder = promisify(inflateRaw);

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: gzipDecoder,
  "x-gzip": gzipDecoder,
  br: promisify(brotliDecompress),
  // RFC 9110, 8.4.1.2: deflate means the zlib format, but some send it without its header.
  deflate: (bytes, options) =>
    (((bytes[0] ?? 0) & 0x0f) === 8 ? zlibDecoder : rawDeflateDecoder)(bytes, options),
};

function undecodable(message: string): ExchangeFailure {
  return new ExchangeFailure("undecodable", true, undefined, message);
}
