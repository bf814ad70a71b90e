import { compareWithPlugin } from "./compare";
import { PluginThing } from "./plugin-thing";
import { Thing, type ThingArgs } from "./thing";

const nothing = async () => {};
const one =
  (args: ThingArgs, options: ConstructorParameters<typeof PluginThing>[2] = {}) =>
  async () => {
    const made = new PluginThing("one", args, options);
    return { computed: made.computed };
  };

compareWithPlugin("creates, keeps, updates and deletes a resource of a plugin", async (stack) => {
  const program = (value: string) => async () => {
    const made = new PluginThing("one", { value });
    const user = new PluginThing("user", { value: made.computed, other: made.value });
    return { computed: made.computed, id: made.id, user: user.value };
  };
  await stack.preview(program("first"));
  await stack.up(program("first"));
  await stack.preview(program("first"));
  await stack.up(program("first"));
  await stack.preview(program("second"));
  await stack.up(program("second"));
  await stack.up(async () => void new PluginThing("one", { value: "second" }));
  await stack.destroy(nothing);
});

compareWithPlugin(
  "replaces a resource of a plugin by create-before-delete or delete-before-create",
  async (stack) => {
    const program = (identity: string, place: string) => async () => {
      const made = new PluginThing("one", { identity, place });
      new PluginThing("user", { value: made.id });
    };
    await stack.up(program("a", "x"));
    await stack.preview(program("b", "x"));
    await stack.up(program("b", "x"));
    await stack.preview(program("b", "y"));
    await stack.up(program("b", "y"));
  },
);

compareWithPlugin("prints the detailed diff of a plugin", async (stack) => {
  const program = (value: unknown) => one({ value });
  const before = {
    count: 2,
    kept: 1,
    list: [{ a: 1, b: 1 }, { a: 2 }],
    sparse: [1, 2, 3],
    meta: { "owner team": "x", gone: 1 },
  };
  const after = {
    count: 3,
    kept: 1,
    list: [{ a: 1, b: 5 }],
    sparse: [1, 2, 5],
    meta: { "owner team": "y", come: [1] },
  };
  await stack.up(program(before));
  await stack.preview(program(after), { diff: true });
  await stack.preview(program(after));
  await stack.up(program(after), { diff: true });
  await stack.preview(one({ value: after, identity: "other", place: "there" }), { diff: true });
});

compareWithPlugin("a refresh reads drift and deletions from the plugin", async (stack) => {
  const program = one({ value: { count: 2, kept: 1 } });
  await stack.up(program);
  await stack.refresh(program);
  stack.world((things) => {
    things["one-1"] = { ...things["one-1"], value: { count: 9, kept: 1 } };
  });
  await stack.previewRefresh(program);
  await stack.refresh(program);
  await stack.preview(program);
  await stack.up(program);
  stack.world((things) => {
    delete things["one-1"];
  });
  await stack.refresh(program);
  await stack.up(program, { refresh: true });
});

compareWithPlugin(
  "stores a partially created resource of a plugin, and updates it in the next run",
  async (stack) => {
    await stack.up(one({ value: 1, partial: true }));
    await stack.preview(one({ value: 1 }));
    await stack.up(one({ value: 1 }));
    await stack.up(one({ value: 2, partial: true }));
    await stack.up(one({ value: 2 }));
    await stack.up(one({ value: 2 }));
  },
);

compareWithPlugin("reports errors and check failures of a plugin", async (stack) => {
  await stack.up(one({ fail: "create" }));
  await stack.preview(one({ fail: "check" }));
  await stack.up(one({ invalid: { secret: "x" } }));
  await stack.up(one({ value: 1 }));
  await stack.up(one({ value: 2, fail: "update" }));
  await stack.preview(one({ value: 2, fail: "diff" }));
  await stack.up(one({ value: 1, undecided: true }));
  await stack.up(one({ value: 3, undecided: true }));
});

compareWithPlugin("a plugin gets custom timeouts and the properties of ignoreChanges", async (stack) => {
  const customTimeouts = { create: "5m", update: "1h30m", delete: "500ms" };
  await stack.up(one({ value: 1 }, { customTimeouts }));
  await stack.up(one({ value: 2, other: 1 }, { customTimeouts, ignoreChanges: ["value"] }));
  await stack.refresh(nothing);
  await stack.up(nothing);
});

compareWithPlugin("prints log messages of a plugin at their resource", async (stack) => {
  await stack.up(async () => {
    const made = new PluginThing("one", { noisy: true });
    new PluginThing("two", { value: made.computed });
  });
});

compareWithPlugin(
  "a plugin that exits during a create fails the update, and the next update succeeds",
  async (stack) => {
    await stack.up(one({ other: "deadly" }));
    await stack.up(one({}));
  },
);

compareWithPlugin("a resource can move from a dynamic provider to a plugin and back", async (stack) => {
  const dynamic = { aliases: [{ type: "things:index:Thing" }] };
  const plugin = { aliases: [{ type: "pulumi-nodejs:dynamic/comparison:Thing" }] };
  const before = (value: number) => async () => void new Thing("one", { value }, dynamic);
  const after = (value: number) => async () => void new PluginThing("one", { value }, plugin);
  await stack.up(before(1));
  await stack.preview(after(1));
  await stack.up(after(1));
  await stack.up(after(1));
  await stack.refresh(after(1));
  await stack.up(before(1));
  await stack.preview(after(2));
  await stack.up(after(2));
  await stack.destroy(nothing);
});
