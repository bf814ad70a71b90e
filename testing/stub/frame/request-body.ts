import type { IncomingMessage } from "node:http";

/** What a request's body came to: its bytes, or why there are none. */
export type RequestBody = Buffer | "too large" | "aborted";

/** Reads a body whole, up to a limit in bytes. */
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
