import { createHash } from "node:crypto";
import { chunksOf, UnreadableFile } from "./regularFile";

/** The content of a file at one moment. */
export interface FileDigest {
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Reads a file of any size once, in parts.
 * @throws UnreadableFile
 */
export async function digestOfFile(path: string): Promise<FileDigest> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of chunksOf(path)) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { sha256: hash.digest("hex"), size };
}

/**
 * The content of a file in parts. The last part follows only if the complete content has this digest, so that no server
 * receives a different file.
 * @throws UnreadableFile if the file cannot be read, or has changed
 */
export async function* unchangedContent(path: string, sha256: string): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  let last: Uint8Array | undefined;
  for await (const chunk of chunksOf(path)) {
    hash.update(chunk);
    if (last !== undefined) yield last;
    last = chunk;
  }
  if (hash.digest("hex") !== sha256) throw new UnreadableFile("has changed while it was read");
  if (last !== undefined) yield last;
}
