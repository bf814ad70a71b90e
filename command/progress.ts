/** Is told how far a long work is. */
export type Progress = (done: number, all: number) => void;

/**
 * Does a long work, and shows on a terminal how far it is, until it is done; where nobody watches, nothing.
 * @param unit what is counted, where that is not clear
 */
export async function watched<T>(work: (progress: Progress) => Promise<T>, unit = ""): Promise<T> {
  if (!process.stderr.isTTY) return work(() => {});
  const counted = unit === "" ? "" : ` ${unit}`;
  try {
    return await work((done, all) => process.stderr.write(`\r${done} of ${all}${counted}`));
  } finally {
    process.stderr.write("\r\u001b[K");
  }
}
