import fc from "fast-check";
import { tenth } from "../rounds";
import { runs } from "./numRuns";
import { compatible, events, play } from "./stories";
import { changeable } from "./subjects";

const RUNS = 200;

describe.each(changeable)("two programs and another user that change one %s", (_, subject) => {
  test("overwrite no value that was not shown before, even if requests and responses are lost", async () => {
    await fc.assert(
      fc.asyncProperty(compatible(subject), events(subject, true), (first, story) =>
        play(subject, first, story),
      ),
      { numRuns: tenth(runs(subject, RUNS)) },
    );
  }, 300_000);
});
