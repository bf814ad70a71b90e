import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";

/** The environment variable that allows larger files, in bytes. */
const LIMIT_VARIABLE = "QUARTERDECK_MAX_FILE_BYTES";
const DEFAULT_LIMIT = 1024 * 1024;
const CHUNK = 64 * 1024;

/** Without this flag, opening a named pipe waits for its other end, in a thread that no signal can stop. */
const { O_RDONLY, O_NONBLOCK = 0 } = constants;

/** Why a file cannot be read. The message is worded to follow the file's name. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";
}

/**
 * Reads the text of a file that a setting names: a regular file of limited size in UTF-8. Pipes and devices may have no end.
 * @param signal stops the reading
 * @throws {@link UnreadableFile}
 */
export async function textOfRegularFile(
  path: string,
  env: Readonly<Record<string, string | undefined>>,
  signal?: AbortSignal,
): Promise<string> {
  const bytes = await untilAborted(bytesOf(path, limitIn(env), signal), signal);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UnreadableFile("is not valid UTF-8");
  }
}

async function bytesOf(path: string, limit: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunksOf(path)) {
    length += chunk.length;
    if (length > limit || signal?.aborted === true)
      throw new UnreadableFile(`is larger than ${limit} bytes; set ${LIMIT_VARIABLE} to raise the limit`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Reads a regular file of any size, in parts. Does not open a pipe at all, because its writer would notice.
 * @throws {@link UnreadableFile}
 */
export async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  let file: FileHandle | undefined;
  try {
    if (!(await stat(path)).isFile()) throw new UnreadableFile("is not a regular file");
    file = await open(path, O_RDONLY | O_NONBLOCK);
    if (!(await file.stat()).isFile()) throw new UnreadableFile("is not a regular file");
    for (;;) {
      const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(CHUNK) });
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UnreadableFile(`cannot be read (${code ?? message})`);
  } finally {
    await file?.close();
  }
}

/** A file system that does not respond must not delay a canceled command. */
function untilAborted<Value>(reading: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return reading;
  return new Promise((resolve, reject) => {
    const stop = () => reject(new UnreadableFile("was not read completely: the command was canceled"));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    reading.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

function limitIn(env: Readonly<Record<string, string | undefined>>): number {
  const text = env[LIMIT_VARIABLE];
  if (text === undefined || text === "") return DEFAULT_LIMIT;
  const limit = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(limit)) return limit;
  throw new UnreadableFile(
    `cannot be read: ${LIMIT_VARIABLE} is not a number of bytes: ${JSON.stringify(text)}`,
  );
}
