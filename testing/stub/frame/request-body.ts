import type { IncomingMessage } from "node:http";

/** A request's body, or the reason why there is none. */
export type RequestBody = Buffer | "too large" | "aborted";

/** Reads a complete body, up to a limit in bytes. */
export function readBody(request: IncomingMessage, limit: number): Promise<RequestBody> {
  const { promise, resolve } = Promise.withResolvers<RequestBody>();
  const chunks: Buffer[] = [];
  let length = 0;
  request.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length <= limit) chunks.push(chunk);
    else resolve("too large");
  });
  request.on("end", () => resolve(Buffer.concat(chunks, length)));
  request.on("error", () => resolve("aborted"));
  request.on("close", () => resolve("aborted"));
  return promise;
}
