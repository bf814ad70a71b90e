import * as pulumi from "@pulumi/pulumi";
import { compareWithPlugin } from "./compare";
import { PluginThing } from "./plugin-thing";
import type { ThingArgs } from "./thing";

const nothing = async () => {};
const imported =
  (id: string | undefined, args: ThingArgs, options: pulumi.CustomResourceOptions = {}) =>
  async () => {
    const made = new PluginThing("one", args, { ...options, ...(id !== undefined && { import: id }) });
    return { computed: made.computed };
  };

compareWithPlugin("imports an existing resource, and manages it afterward", async (stack) => {
  stack.world((things) => {
    things["made-1"] = { name: "one", value: "there" };
  });
  await stack.preview(imported("made-1", { value: "there" }));
  await stack.up(imported("made-1", { value: "there" }));
  await stack.up(imported("made-1", { value: "there" }));
  await stack.up(imported(undefined, { value: "there" }));
  await stack.up(imported("made-1", { value: "other" }));
  await stack.up(nothing);
});

compareWithPlugin("an import with different inputs is also an update", async (stack) => {
  stack.world((things) => {
    things["made-1"] = { name: "one", value: "there", other: [1, 2] };
  });
  await stack.preview(imported("made-1", { value: "wanted" }), { diff: true });
  await stack.preview(imported("made-1", { value: "wanted" }));
  await stack.up(imported("made-1", { value: "wanted" }));
});

compareWithPlugin("a resource that still specifies `import` cannot be replaced", async (stack) => {
  stack.world((things) => {
    things["made-1"] = { name: "one", identity: "a" };
  });
  await stack.preview(imported("made-1", { identity: "b" }));
  await stack.up(imported("made-1", { identity: "a" }));
  await stack.preview(imported("made-1", { identity: "b" }));
  await stack.up(imported("made-1", { identity: "b" }));
});

compareWithPlugin(
  "rejects the import of a missing resource and an import with invalid inputs",
  async (stack) => {
    await stack.preview(imported("nowhere", { value: 1 }));
    await stack.up(imported("nowhere", { value: 1 }));
    stack.world((things) => {
      things["made-1"] = { name: "one", value: 1 };
    });
    await stack.up(imported("made-1", { value: 1, invalid: "x" }));
    await stack.up(imported("made-1", { value: 1, undecided: true }, { ignoreChanges: ["undecided"] }));
  },
);

compareWithPlugin("an import replaces a managed resource and a read resource", async (stack) => {
  stack.world((things) => {
    things["made-1"] = { name: "one", value: "there" };
  });
  await stack.up(async () => void new PluginThing("one", { value: "there" }));
  await stack.preview(imported("made-1", { value: "there" }));
  await stack.up(imported("made-1", { value: "there" }));
  await stack.up(async () => {
    new PluginThing("one", { value: "there" });
    new PluginThing("seen", { name: "one" }, { id: "made-1" });
  });
  await stack.up(async () => {
    new PluginThing("one", { value: "there" });
    new PluginThing(
      "seen",
      { name: "one", value: "there" },
      { import: "made-1", aliases: [{ name: "was" }] },
    );
  });
});

compareWithPlugin("secrets of the program stay secret in an import", async (stack) => {
  stack.world((things) => {
    things["made-1"] = { name: "one", value: "hidden" };
  });
  const program = imported("made-1", { value: pulumi.secret("hidden") }, { protect: true });
  await stack.preview(program);
  await stack.up(program);
  await stack.up(program);
});
