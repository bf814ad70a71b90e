import { rounds } from "../rounds";
import { consoleOn } from "./console";
import type { TestStack } from "./stack";
import { changesIn, expectCompleted, NO_CHANGES } from "./states/completed";
import { makeFound, wholeStories } from "./states/programs";
import { closeWithServices, stackOf, stackThen } from "./states/recording";

// Complete engine commands, on any machine.
jest.setTimeout(240_000);

let stack: TestStack | undefined;

afterEach(async () => {
  if (stack) await closeWithServices(stack);
  stack = undefined;
  jest.restoreAllMocks();
});

test.each(Object.entries(wholeStories()))(
  "a change of quarterdeck:bridge to plugin and back shows no changes of a stack of %s, and sends no write",
  async (_, story) => {
    stack = await stackThen();
    await stack.setBridge("dynamic");
    await makeFound(consoleOn(stack.stub));
    expect((await stack.up(story())).failure).toBeUndefined();
    await stack.stub.clearRequests();
    const bridges = ["plugin", "dynamic", "plugin"] as const;
    for (const bridge of bridges.slice(0, rounds(bridges.length, 1))) {
      await stack.setBridge(bridge);
      expect({ bridge, ...changesIn(await stack.preview(story())) }).toEqual({ bridge, ...NO_CHANGES });
      expect(changesIn(await stack.up())).toEqual(NO_CHANGES);
      expect(changesIn(await stack.refresh())).toEqual(NO_CHANGES);
      expect(await stack.writes()).toEqual([]);
    }
    const updated = await stack.up(story(true));
    expect(updated.failure).toBeUndefined();
    expect(Object.keys(updated.changes).sort()).toEqual(["same", "update"]);
    await stack.setBridge("dynamic");
    expect(changesIn(await stack.preview())).toEqual(NO_CHANGES);
    expect(await stack.destroy()).toMatchObject({ failure: undefined });
  },
);

test.each(Object.entries(wholeStories()))(
  "a change from the plugin to the dynamic bridge updates only the state of a stack of %s",
  async (_, story) => {
    stack = await stackThen();
    await stack.setBridge("plugin");
    await makeFound(consoleOn(stack.stub));
    expect((await stack.up(story())).failure).toBeUndefined();
    await stack.stub.clearRequests();
    await stack.setBridge("dynamic");
    const switched = await stack.up(story());
    expect(switched.failure).toBeUndefined();
    expect(Object.keys(switched.changes).sort()).toEqual(["same", "update"]);
    expect(await stack.writes()).toEqual([]);
    expect(changesIn(await stack.preview())).toEqual(NO_CHANGES);
    expect(changesIn(await stack.refresh())).toEqual(NO_CHANGES);
    expect(await stack.writes()).toEqual([]);
    expect(await stack.destroy()).toMatchObject({ failure: undefined });
  },
);

test("the plugin completes incomplete, unverified and drifted resources of the dynamic bridge", async () => {
  stack = await stackOf("uneven");
  await stack.setBridge("plugin");
  await expectCompleted(stack);
});
