import * as quarterdeck from "../../sdk";
import type { Ran, TestStack as Stack } from "./stack";
import { TestStack } from "./stack";

// Whole commands of an engine, on whatever machine.
jest.setTimeout(120_000);

let stack: Stack;
beforeEach(async () => {
  stack = await TestStack.open();
});
afterEach(() => stack.close());

const entryAlone = async () => {
  new quarterdeck.mesh.ServiceDefaults("api", { name: "api", spec: { protocol: "http" } });
};

/** One of each service; the method's secret is never shown by its service. */
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

/** A state in which nothing of the program is: as an engine leaves it that was killed right after its creates. */
async function forget({ stack: own }: Stack): Promise<void> {
  const state = await own.exportStack();
  await own.importStack({ ...state, deployment: { ...state.deployment, resources: [] } });
}

/** What the services hold; of jobs, which move by themselves, when they were written the last time. */
const held = async () =>
  (await stack.objects()).map((service) => service.match(/"JobModifyIndex": .*/g) ?? service);

const TAKEN = /exists already, and is just what the program writes: taken over as it is/g;
/**
 * How many types of resources are taken over: the program has one resource of each. The line of the stack, in which an engine
 * repeats what a host printed, names the resource's type last.
 */
const taken = ({ output }: Ran) =>
  new Set([...output.matchAll(/.*\b(\w+:[A-Z]\w+).*it exists already, and is just/g)].map(([, type]) => type))
    .size;

describe.each(["dynamic", "plugin"] as const)(
  "what was made and is in no state, by the %s bridge,",
  (bridge) => {
    beforeEach(() => stack.setBridge(bridge));

    test("is told with the setting that takes it over, and is taken by it: nothing is written, and all is quiet", async () => {
      expect(await stack.up(program())).toMatchObject({ failure: undefined, changes: { create: 5 } });
      const objects = await held();
      await forget(stack);
      // Alone: an engine begins nothing more once something has failed.
      const refused = await stack.up(entryAlone);
      expect(refused.failure).toBeDefined();
      expect(refused.output).toMatch(
        /to take over all like it: +pulumi config set quarterdeck:adopt identical, then/,
      );
      expect(refused.output).toMatch(/to import it: +import it by its id "\/default\/service-defaults\/api"/);
      expect(await held()).toEqual(objects);

      await stack.stack.setConfig("quarterdeck:adopt", { value: "identical" });
      const ran = await stack.up(program());
      expect(ran).toMatchObject({ failure: undefined, changes: { create: 4, same: 1 } });
      expect(ran.output).toMatch(TAKEN);
      expect(taken(ran)).toBe(4);
      expect(await held()).toEqual(objects);
      expect((await stack.preview()).changes).toEqual({ same: 5 });
      expect((await stack.refresh()).changes).toEqual({ same: 5 });
      expect(await held()).toEqual(objects);
    });

    test("is told as ever where the service never shows all of it", async () => {
      await stack.stack.setConfig("quarterdeck:adopt", { value: "identical" });
      expect((await stack.up(program({ apiToken: "canary" }))).failure).toBeUndefined();
      await forget(stack);
      const refused = await stack.up();
      expect(refused.output).toMatch(/it never shows apiToken/);
      expect(refused.output).not.toMatch(/quarterdeck:adopt identical, then/);
      expect(stack.printed).not.toContain("canary");
    });

    test("another word than its own is refused by the preview", async () => {
      await stack.stack.setConfig("quarterdeck:adopt", { value: "always" });
      const { failure, output } = await stack.preview(program());
      expect(failure).toBeDefined();
      expect(output).toContain('quarterdeck:adopt: is "always"; allowed: never, identical');
    });
  },
);
