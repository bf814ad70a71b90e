import { resolve } from "node:path";
import * as quarterdeck from "../../sdk";
import { type Ask, consoleOn } from "./console";
import { TestStack } from "./stack";

// Complete engine commands, on any machine.
jest.setTimeout(120_000);

const PLUGIN = { plugin: resolve(__dirname, "../../plugin") };

let stack: TestStack;
let ask: Ask;

async function open(settings = {}, options: object = PLUGIN): Promise<void> {
  stack = await TestStack.open(settings, options);
  ask = consoleOn(stack.stub);
}
afterEach(() => stack.close());

const entries =
  (own: object, other: object = {}) =>
  async () => {
    const spec = { Protocol: "http" };
    new quarterdeck.mesh.ConfigEntry("api", { kind: "service-defaults", name: "api", spec, ...own });
    new quarterdeck.mesh.ConfigEntry("web", { kind: "service-defaults", name: "web", spec, ...other });
  };

/** An edit by someone else. */
const edit = (name: string) =>
  ask("mesh", "PUT", "/v1/config", { Kind: "service-defaults", Name: name, Protocol: "grpc" });

const reads = async () =>
  (await stack.stub.requests({ service: "mesh" })).filter(({ method }) => method === "GET").length;

test("refreshBeforeUpdate reads its resource before a preview and an up, and no other resource", async () => {
  await open();
  const program = entries({ refreshBeforeUpdate: true });
  expect(await stack.up(program)).toMatchObject({ failure: undefined, changes: { create: 3 } });
  await edit("api");
  await edit("web");
  const before = await reads();
  const previewed = await stack.preview();
  expect(previewed).toMatchObject({ failure: undefined, changes: { update: 1, same: 2 } });
  expect(previewed.output).toMatch(/was changed outside this stack|changed by others|Protocol|grpc/);
  expect(await reads()).toBeGreaterThan(before);
  expect(await stack.up()).toMatchObject({ failure: undefined, changes: { update: 1, same: 2 } });
  expect((await ask("mesh", "GET", "/v1/config/service-defaults/api")).body.Protocol).toBe("http");
  expect((await ask("mesh", "GET", "/v1/config/service-defaults/web")).body.Protocol).toBe("grpc");
});

test("refreshBeforeUpdate of a connection applies to each resource that does not set it to false", async () => {
  await open({ mesh: { refreshBeforeUpdate: true } });
  await stack.up(entries({}, { refreshBeforeUpdate: false }));
  await edit("api");
  await edit("web");
  expect(await stack.preview()).toMatchObject({ failure: undefined, changes: { update: 1, same: 2 } });
});

test("a preview no longer reads a resource after refreshBeforeUpdate was removed from it", async () => {
  await open();
  await stack.up(entries({ refreshBeforeUpdate: true }));
  expect(stack.state()).toContain('"refreshBeforeUpdate":true');
  await stack.up(entries({}));
  await edit("api");
  expect(await stack.preview()).toMatchObject({ failure: undefined, changes: { same: 3 } });
});

test("an up with refreshBeforeUpdate creates a deleted object again", async () => {
  await open();
  await stack.up(entries({ refreshBeforeUpdate: true }));
  await ask("mesh", "DELETE", "/v1/config/service-defaults/api");
  expect(await stack.up()).toMatchObject({ failure: undefined, changes: { create: 1, same: 2 } });
});

test("a state with refreshBeforeUpdate is exported as version 4 and can be imported again", async () => {
  await open();
  await stack.up(entries({ refreshBeforeUpdate: true }));
  const exported = await stack.stack.exportStack();
  expect(exported.version).toBe(4);
  await stack.stack.importStack(exported);
  expect(await stack.preview()).toMatchObject({ failure: undefined, changes: { same: 3 } });
});

test("on the dynamic bridge a preview warns once that refreshBeforeUpdate has no effect, with the remedy", async () => {
  await open({}, {});
  const { failure, output } = await stack.preview(
    entries({ refreshBeforeUpdate: true }, { refreshBeforeUpdate: true }),
  );
  expect(failure).toBeUndefined();
  if (process.env.QUARTERDECK_BRIDGE === "plugin") return;
  expect(
    // The CLI prints a line immediately, and again at the end.
    output
      .split("Diagnostics:")
      .at(-1)
      ?.match(/refreshBeforeUpdate has no effect with dynamic providers: run pulumi up --refresh/g),
  ).toHaveLength(1);
});
