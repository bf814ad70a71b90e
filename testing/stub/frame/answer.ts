import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import type { StubResponse } from "../service";
import { formatExactly } from "./exact-json";

/** An encoded response. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Encodes a service's response: an object as JSON, a string or bytes unchanged, compressed if the client accepts that. */
export async function encode(
  { status, headers = {}, body }: StubResponse,
  acceptEncoding: string | undefined,
  compressesFrom = WORTH_COMPRESSING,
): Promise<Answer> {
  const hasBody = body !== undefined && status !== 204 && status !== 304;
  const plain = hasBody ? bytesOf(body) : NOTHING;
  const described = {
    ...(hasBody && { "content-type": typeof body === "string" ? TEXT : JSON_TYPE }),
    ...lowerCased(headers),
  };
  const isCompressed = plain.length >= compressesFrom && takesGzip(acceptEncoding);
  const sent = isCompressed ? await compress(plain, { level: constants.Z_BEST_SPEED }) : plain;
  return {
    status,
    headers: {
      ...described,
      ...(isCompressed && { "content-encoding": "gzip", vary: "accept-encoding" }),
      ...(status !== 204 && status !== 304 && { "content-length": String(sent.length) }),
    },
    body: sent,
  };
}

function bytesOf(body: unknown): Buffer {
  if (body instanceof Uint8Array) return Buffer.from(body);
  return Buffer.from(typeof body === "string" ? body : formatExactly(body));
}

const NOTHING: Buffer = Buffer.alloc(0);
const TEXT = "text/plain; charset=utf-8";
const JSON_TYPE = "application/json";
const WORTH_COMPRESSING = 1024;
const compress: (body: Buffer, options: { level: number }) => Promise<Buffer> = promisify(gzip);

/** Lower-cases the names, so that a service's own content type overrides the default. */
function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** RFC 9110, section 12.5.3; `*` matches every coding that is not listed. */
function takesGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined) return false;
  const weights = new Map(
    acceptEncoding.split(",").map((item) => {
      const [coding = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return [coding, weight === undefined ? 1 : Number(weight.slice("q=".length))] as const;
    }),
  );
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0;
}
