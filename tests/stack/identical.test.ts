import * as quarterdeck from "../../sdk";
import type { Ran, TestStack as Stack } from "./stack";
import { TestStack } from "./stack";

// Complete engine commands, on any machine.
jest.setTimeout(120_000);

let stack: Stack;
beforeEach(async () => {
  stack = await TestStack.open();
});
afterEach(() => stack.close());

const entryAlone = async () => {
  new quarterdeck.mesh.ServiceDefaults("api", { name: "api", spec: { protocol: "http" } });
};

/** One resource of each service, and optionally an MFA method, whose secret the server never returns. */
const program =
  (more: { readonly apiToken?: string } = {}) =>
  async () => {
    new quarterdeck.workspaces.Workspace("shop", { name: "shop", description: "first" });
    new quarterdeck.scheduler.Job("web", {
      spec: { id: "web", taskGroups: [{ name: "front", tasks: [{ name: "server", driver: "docker" }] }] },
    });
    new quarterdeck.secrets.QueueRole("reader", { name: "reader", tags: "management" });
    await entryAlone();
    const { apiToken } = more;
    if (apiToken !== undefined)
      new quarterdeck.secrets.MfaMethod("staff", { methodName: "staff", orgName: "acme", apiToken });
  };

/** Removes all resources from the state, as if the engine had been killed right after its creates. */
async function forget({ stack: own }: Stack): Promise<void> {
  const state = await own.exportStack();
  await own.importStack({ ...state, deployment: { ...state.deployment, resources: [] } });
}

/** The objects of the services. Nomad changes jobs by itself, so that only their modify index is compared. */
const held = async () =>
  (await stack.objects()).map((service) => service.match(/"JobModifyIndex": .*/g) ?? service);

const ADOPTED = /exists, is identical to the program's object, and was adopted without a write/g;
/**
 * The number of adopted resource types; the program has one resource of each. In the line of the stack, in which an engine
 * repeats the output of a host, the resource's noun comes last.
 */
const adoptedTypes = ({ output }: Ran) =>
  new Set(
    [...output.matchAll(/.*\b(\w+:[A-Z]\w+|info: [^"]+) .*the object exists, is identical/g)].map(
      ([, type]) => type,
    ),
  ).size;

describe.each(["dynamic", "plugin"] as const)("quarterdeck:adopt on the %s bridge", (bridge) => {
  beforeEach(() => stack.setBridge(bridge));

  test("adopts identical objects without a write, and is named by the error of a create without it", async () => {
    expect(await stack.up(program())).toMatchObject({ failure: undefined, changes: { create: 5 } });
    const objects = await held();
    await forget(stack);
    // One resource alone: after a failure, an engine starts no other resource.
    const refused = await stack.up(entryAlone);
    expect(refused.failure).toBeDefined();
    expect(refused.output).toMatch(
      /to adopt all identical objects: +pulumi config set quarterdeck:adopt identical, then/,
    );
    expect(refused.output).toMatch(
      /to import it: +pulumi import quarterdeck:mesh:ServiceDefaults <name> \/default\/service-defaults\/api/,
    );
    expect(await held()).toEqual(objects);

    await stack.stack.setConfig("quarterdeck:adopt", { value: "identical" });
    const ran = await stack.up(program());
    expect(ran).toMatchObject({ failure: undefined, changes: { create: 4, same: 1 } });
    expect(ran.output).toMatch(ADOPTED);
    expect(adoptedTypes(ran)).toBe(4);
    expect(await held()).toEqual(objects);
    expect((await stack.preview()).changes).toEqual({ same: 5 });
    expect((await stack.refresh()).changes).toEqual({ same: 5 });
    expect(await held()).toEqual(objects);
  });

  test("does not adopt an object if the server never returns one of its secrets", async () => {
    await stack.stack.setConfig("quarterdeck:adopt", { value: "identical" });
    expect((await stack.up(program({ apiToken: "canary" }))).failure).toBeUndefined();
    await forget(stack);
    const refused = await stack.up();
    expect(refused.output).toMatch(/the server never returns apiToken/);
    expect(refused.output).not.toMatch(/quarterdeck:adopt identical, then/);
    expect(stack.printed).not.toContain("canary");
  });

  test("rejects an unknown value in the preview", async () => {
    await stack.stack.setConfig("quarterdeck:adopt", { value: "always" });
    const { failure, output } = await stack.preview(program());
    expect(failure).toBeDefined();
    expect(output).toContain('quarterdeck:adopt: is "always"; allowed: never, identical');
  });
});
