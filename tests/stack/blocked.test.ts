import * as quarterdeck from "../../sdk";
import { type Ask, consoleOn } from "./console";
import { TestStack } from "./stack";

// Complete engine commands, on any machine. A write that waited until its timeout of 10 minutes would not end in time.
jest.setTimeout(120_000);

let stack: TestStack;
let ask: Ask;

beforeEach(async () => {
  stack = await TestStack.open({ mesh: { maxRetries: 0 } }, { dialect: "neutral" });
  ask = consoleOn(stack.stub);
});
afterEach(() => stack.close());

const NAMES = ["a", "b", "c"];

/** Service routers without dependsOn, each registered before the service defaults that it needs. */
const routersFirst = async () => {
  for (const name of NAMES)
    new quarterdeck.mesh.ServiceRouter(`router-${name}`, { name, spec: { routes: [] } });
  for (const name of NAMES)
    new quarterdeck.mesh.ServiceDefaults(`defaults-${name}`, { name, spec: { protocol: "http" } });
};

const entries = async () =>
  (
    await Promise.all(
      ["service-router", "service-defaults"].map((kind) => ask("mesh", "GET", `/v1/config/${kind}`)),
    )
  ).map(({ body }) => body.length);

test("resources that need each other without dependsOn are created and deleted by one command each", async () => {
  expect(await stack.up(routersFirst)).toMatchObject({ failure: undefined, changes: { create: 7 } });
  expect(await entries()).toEqual([3, 3]);
  expect(await stack.destroy()).toMatchObject({ failure: undefined });
  expect(await entries()).toEqual([0, 0]);
});

test("blocked writes fail with the order, long before their timeout, if no worker is left for the others", async () => {
  const up = await stack.up(routersFirst, { parallel: 1 });
  expect(up.failure).toMatch(/protocol[\s\S]*dependsOn/);
  expect(await stack.up(routersFirst)).toMatchObject({ failure: undefined });
  // The engine decides which entries it deletes first.
  const { failure } = await stack.destroy({ parallel: 2 });
  expect([undefined, expect.stringMatching(/protocol[\s\S]*for a delete, the reverse/)]).toContainEqual(
    failure,
  );
});
