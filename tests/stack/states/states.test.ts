import type { TestStack } from "../stack";
import { changesIn, expectCompleted, NO_CHANGES } from "./completed";
import { wholeStories } from "./programs";
import { closeWithServices, recorded, stackOf } from "./recording";

// Complete engine commands, on any machine.
jest.setTimeout(120_000);

let stack: TestStack | undefined;

afterEach(async () => {
  if (stack) await closeWithServices(stack);
  stack = undefined;
  jest.restoreAllMocks();
});

test.each(Object.entries(wholeStories()))(
  "the recorded stack of %s shows no changes, and can be refreshed, updated and destroyed",
  async (name, story) => {
    const recording = recorded(name);
    stack = await stackOf(name);
    expect(await stack.up(story())).toEqual(
      expect.objectContaining({ failure: undefined, changes: recording.preview }),
    );
    expect(await stack.stub.requests()).toEqual([]);

    expect(changesIn(await stack.refresh())).toEqual(NO_CHANGES);
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

test("the recorded stack with incomplete, unverified and drifted resources previews as recorded and is completed", async () => {
  stack = await stackOf("uneven");
  await expectCompleted(stack);
});
