const FIRST_MS = 50;
const LONGEST_MS = 2000;

/** The delays between two reads of work that the server does in the background, in milliseconds. */
export function* pauses(): Generator<number, never> {
  for (let pause = FIRST_MS; ; pause = Math.min(pause * 2, LONGEST_MS)) yield pause;
}
