/** Receives the progress of a long task. */
export type Progress = (done: number, all: number) => void;

/**
 * Runs a long task. If standard error is a terminal, it shows the progress until the task ends.
 * @param unit the counted unit, if it is not obvious
 */
export async function withProgress<T>(work: (progress: Progress) => Promise<T>, unit = ""): Promise<T> {
  if (!process.stderr.isTTY) return work(() => {});
  const counted = unit === "" ? "" : ` ${unit}`;
  try {
    return await work((done, all) => process.stderr.write(`\r${done} of ${all}${counted}`));
  } finally {
    process.stderr.write("\r\u001b[K");
  }
}
