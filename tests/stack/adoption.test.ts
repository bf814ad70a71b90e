import * as quarterdeck from "../../sdk";
import { TestStack } from "./stack";

/** One object of each service; the resource names end with `end`. */
const program = (end: string) => async () => {
  const adopt = true;
  new quarterdeck.workspaces.Workspace(`shop${end}`, { name: "shop", description: "first", adopt });
  new quarterdeck.scheduler.Job(`web${end}`, {
    spec: { id: "web", taskGroups: [{ name: "front", tasks: [{ name: "server", driver: "docker" }] }] },
    adopt,
  });
  new quarterdeck.secrets.QueueRole(`reader${end}`, { name: "reader", tags: "management", adopt });
  new quarterdeck.mesh.ServiceDefaults(`api${end}`, { name: "api", spec: { protocol: "http" }, adopt });
};

// Complete engine commands, on any machine.
jest.setTimeout(120_000);

/** The objects of the services. Nomad changes jobs by itself, so that only their modify index is compared. */
const held = async (stack: TestStack) =>
  (await stack.objects()).map((service) => service.match(/"JobModifyIndex": .*/g) ?? service);

test.each(["plugin", "dynamic"] as const)(
  "a resource renamed without an alias is adopted under its new name, and its object is not deleted (%s)",
  async (bridge) => {
    const stack = await TestStack.open();
    try {
      await stack.setBridge(bridge);
      await stack.up(program(""));
      const before = await held(stack);
      const ran = await stack.up(program("-2"));
      expect(ran.failure).toBeUndefined();
      expect(ran.changes).toMatchObject({ create: 4, delete: 4 });
      expect(ran.output).toContain("this command created, updated or adopted the object at the same address");
      expect(await held(stack)).toEqual(before);
      expect((await stack.refresh()).changes).toEqual({ same: 5 });
      expect((await stack.preview()).changes).toEqual({ same: 5 });
      // A later command deletes the objects.
      await stack.destroy();
      expect((await stack.objects()).join("")).not.toMatch(/shop|reader/);
    } finally {
      await stack.close();
    }
  },
);

test("replaceOnChanges replaces an object that keeps its address, and the new object remains", async () => {
  const stack = await TestStack.open();
  try {
    await stack.setBridge("plugin");
    const reader = (tags: string) => async () => {
      new quarterdeck.secrets.QueueRole("reader", { name: "reader", tags }, { replaceOnChanges: ["tags"] });
    };
    await stack.up(reader("management"));
    const ran = await stack.up(reader("monitoring"));
    expect(ran.failure).toBeUndefined();
    expect((await stack.refresh()).changes).toEqual({ same: 2 });
    expect((await stack.objects()).join("")).toContain("monitoring");
  } finally {
    await stack.close();
  }
});
