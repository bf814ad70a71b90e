import { BY_PLUGIN } from "../../bridge";
import type { Ran, TestStack } from "../stack";
import { wholeStories } from "./programs";
import { closeWithServices, recorded, stackOf, versions } from "./recording";
import { drifted, halfDone } from "./uneven";

// Whole commands of an engine, on whatever machine.
jest.setTimeout(120_000);

let stack: TestStack | undefined;

afterEach(async () => {
  if (stack) await closeWithServices(stack);
  stack = undefined;
  jest.restoreAllMocks();
});

const quiet = ({ changes, failure }: Ran) => ({ failure, changes: Object.keys(changes) });
const QUIET = { failure: undefined, changes: ["same"] };

/** The oldest version's steps are read in every run (tests/steps/recordedDeeds); its whole stacks in those of `npm run stacks`. */
const isEveryRun = !BY_PLUGIN && process.env.PULUMI_ENGINE !== "cli";
const told = versions().filter((version) => !(isEveryRun && version === "landed"));

const all = told.flatMap((version) =>
  Object.entries(wholeStories(version !== "landed")).map(([name, story]) => [version, name, story] as const),
);

test.each(all)(
  "a stack that the %s version left, of %s, is quiet, refreshed, updated and destroyed by this one",
  async (version, name, story) => {
    const recording = recorded(version, name);
    stack = await stackOf(version, name);
    expect(await stack.up(story())).toEqual(
      expect.objectContaining({ failure: undefined, changes: recording.preview }),
    );
    expect(await stack.stub.requests()).toEqual([]);

    expect(quiet(await stack.refresh())).toEqual(QUIET);
    expect(await stack.writes()).toEqual([]);

    const updated = await stack.up(story(true));
    expect(updated.failure).toBeUndefined();
    expect(Object.keys(updated.changes).sort()).toEqual(["same", "update"]);
    expect(await stack.destroy()).toMatchObject({
      failure: undefined,
      changes: { delete: recording.preview.same },
    });
  },
);

test.each(told)(
  "a stack that the %s version left half made, unread and drifted is read as it was meant, and mended by this one",
  async (version) => {
    const recording = recorded(version, "uneven");
    const parts = halfDone(version !== "landed");
    stack = await stackOf(version, "uneven");
    const mending = async () => {
      drifted();
      for (const part of parts) part.make(true);
    };
    const preview = await stack.preview(mending);
    expect(preview).toMatchObject({ failure: undefined, changes: recording.preview });
    expect(await stack.writes()).toEqual([]);
    expect(await stack.refresh()).toMatchObject({ failure: undefined });
    expect(await stack.writes()).toEqual([]);

    expect(await stack.up()).toMatchObject({ failure: undefined });
    expect(quiet(await stack.refresh())).toEqual(QUIET);
    expect(await stack.destroy()).toMatchObject({ failure: undefined });
  },
);
