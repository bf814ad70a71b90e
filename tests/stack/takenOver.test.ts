import * as quarterdeck from "../../sdk";
import { TestStack } from "./stack";

/** One object of each service, under names that end so. */
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

// Whole commands of an engine, on whatever machine.
jest.setTimeout(120_000);

/** What the services hold; of jobs, which move by themselves, when they were written the last time. */
const held = async (stack: TestStack) =>
  (await stack.objects()).map((service) => service.match(/"JobModifyIndex": .*/g) ?? service);

test.each(["plugin", "dynamic"] as const)(
  "what is renamed without an alias is taken over by its new name, and not deleted by its old one (%s)",
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
      // A later command is another one: what goes is deleted.
      await stack.destroy();
      expect((await stack.objects()).join("")).not.toMatch(/shop|reader/);
    } finally {
      await stack.close();
    }
  },
);

test("what the program has replaced at its place (replaceOnChanges) is deleted first", async () => {
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
