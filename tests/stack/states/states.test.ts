import type { Ran, TestStack } from "../stack";
import { wholeStories } from "./programs";
import { closeWithServices, recorded, stackOf } from "./recording";
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

test.each(Object.entries(wholeStories()))(
  "the recorded stack of %s is quiet, refreshed, updated and destroyed",
  async (name, story) => {
    const recording = recorded(name);
    stack = await stackOf(name);
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

test("the recorded stack that is incomplete, unverified and drifted is read as it was meant, and completed", async () => {
  const recording = recorded("uneven");
  const parts = halfDone();
  stack = await stackOf("uneven");
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
});
