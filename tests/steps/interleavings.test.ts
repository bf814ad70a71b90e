import fc from "fast-check";
import { twentieth } from "../rounds";
import { runs } from "./numRuns";
import { compatible, events, play } from "./stories";
import { changeable } from "./subjects";

/** The number of runs of each definition, unless its subject sets a higher one. */
const RUNS = 200;

describe.each(changeable)("two programs and another user that change one %s", (_, subject) => {
  test("overwrite no value that was not shown before, and show no changes at the end", async () => {
    await fc.assert(
      fc.asyncProperty(compatible(subject), events(subject, false), (first, story) =>
        play(subject, first, story),
      ),
      { numRuns: twentieth(subject.stories ?? runs(subject, RUNS)) },
    );
  }, 300_000);
});
