import fc from "fast-check";
import { twentieth } from "../rounds";
import { runs } from "./numRuns";
import { compatible, events, play } from "./stories";
import { changeable } from "./subjects";

/** How often each definition is tried, unless its subject says more. */
const RUNS = 200;

describe.each(changeable)("two programs and a person at a console, on one %s", (_, subject) => {
  test("overwrite nothing that was not shown first, and end quiet", async () => {
    await fc.assert(
      fc.asyncProperty(compatible(subject), events(subject, false), (first, story) =>
        play(subject, first, story),
      ),
      { numRuns: twentieth(subject.stories ?? runs(subject, RUNS)) },
    );
  }, 300_000);
});
