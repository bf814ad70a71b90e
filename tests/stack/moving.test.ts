import { rounds } from "../rounds";
import { consoleOn } from "./console";
import type { TestStack } from "./stack";
import { expectCompleted, QUIET, quiet } from "./states/completed";
import { makeFound, wholeStories } from "./states/programs";
import { closeWithServices, stackOf, stackThen } from "./states/recording";

// Whole commands of an engine, on whatever machine.
jest.setTimeout(240_000);

let stack: TestStack | undefined;

afterEach(async () => {
  if (stack) await closeWithServices(stack);
  stack = undefined;
  jest.restoreAllMocks();
});

test.each(Object.entries(wholeStories()))(
  "a stack of %s moves to the plugin and back by its setting alone: nothing is written, nothing is shown",
  async (_, story) => {
    stack = await stackThen();
    await stack.setBridge("dynamic");
    await makeFound(consoleOn(stack.stub));
    expect((await stack.up(story())).failure).toBeUndefined();
    await stack.stub.clearRequests();
    const moves = ["plugin", "dynamic", "plugin"] as const;
    for (const bridge of moves.slice(0, rounds(moves.length, 1))) {
      await stack.setBridge(bridge);
      expect({ bridge, ...quiet(await stack.preview(story())) }).toEqual({ bridge, ...QUIET });
      expect(quiet(await stack.up())).toEqual(QUIET);
      expect(quiet(await stack.refresh())).toEqual(QUIET);
      expect(await stack.writes()).toEqual([]);
    }
    const updated = await stack.up(story(true));
    expect(updated.failure).toBeUndefined();
    expect(Object.keys(updated.changes).sort()).toEqual(["same", "update"]);
    await stack.setBridge("dynamic");
    expect(quiet(await stack.preview())).toEqual(QUIET);
    expect(await stack.destroy()).toMatchObject({ failure: undefined });
  },
);

test.each(Object.entries(wholeStories()))(
  "a stack of %s that the plugin made gets what the dynamic host needs, and writes nothing else",
  async (_, story) => {
    stack = await stackThen();
    await stack.setBridge("plugin");
    await makeFound(consoleOn(stack.stub));
    expect((await stack.up(story())).failure).toBeUndefined();
    await stack.stub.clearRequests();
    await stack.setBridge("dynamic");
    const moved = await stack.up(story());
    expect(moved.failure).toBeUndefined();
    expect(Object.keys(moved.changes).sort()).toEqual(["same", "update"]);
    expect(await stack.writes()).toEqual([]);
    expect(quiet(await stack.preview())).toEqual(QUIET);
    expect(quiet(await stack.refresh())).toEqual(QUIET);
    expect(await stack.writes()).toEqual([]);
    expect(await stack.destroy()).toMatchObject({ failure: undefined });
  },
);

test("what is half made, unread or drifted moves too, and is mended there", async () => {
  stack = await stackOf("uneven");
  await stack.setBridge("plugin");
  await expectCompleted(stack);
});
