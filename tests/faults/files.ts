import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

// Replaces `provider/core/value/fileDigest`: virtual time does not wait for a thread that reads a file.

export async function digestOfFile(path: string): Promise<{ sha256: string; size: number }> {
  const content = readFileSync(path);
  return { sha256: createHash("sha256").update(content).digest("hex"), size: content.length };
}

export async function* unchangedContent(path: string): AsyncGenerator<Uint8Array> {
  yield readFileSync(path);
}
