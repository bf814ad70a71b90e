import { compare, compareWithOwnHosts } from "./compare";
import { Thing, type ThingArgs } from "./thing";

const one =
  (args: ThingArgs, options: ConstructorParameters<typeof Thing>[2] = {}) =>
  async () => {
    const thing = new Thing("one", args, options);
    return { value: thing.value };
  };

compare("a refresh without drift changes nothing", async (stack) => {
  await stack.up(one({ value: 1 }));
  await stack.previewRefresh(one({ value: 1 }));
  await stack.refresh(one({ value: 1 }));
  await stack.preview(one({ value: 1 }));
});

compare("a refresh finds what others changed, and the next update changes it back", async (stack) => {
  await stack.up(one({ value: 1 }));
  stack.world((things) => {
    things["one-1"] = { name: "one", value: 2, other: "added" };
  });
  await stack.previewRefresh(one({ value: 1 }));
  await stack.refresh(one({ value: 1 }));
  await stack.preview(one({ value: 1 }));
  await stack.up(one({ value: 1 }));
});

compare("a refresh drops what has gone, and the next update makes it again", async (stack) => {
  const program = async () => {
    const base = new Thing("base", { value: 1 });
    new Thing("user", { value: base.computed }, { dependsOn: [base] });
    new Thing("child", { value: 3 }, { parent: base });
  };
  await stack.up(program);
  stack.world((things) => {
    delete things["base-1"];
  });
  await stack.previewRefresh(program);
  await stack.refresh(program);
  await stack.preview(program);
  await stack.up(program);
});

compare("an update can begin with a refresh", async (stack) => {
  await stack.up(one({ value: 1 }));
  stack.world((things) => {
    things["one-1"] = { name: "one", value: 2 };
  });
  await stack.preview(one({ value: 1 }), { refresh: true });
  await stack.up(one({ value: 1 }), { refresh: true });
  stack.world((things) => {
    delete things["one-1"];
  });
  await stack.up(one({ value: 1 }), { refresh: true });
  stack.world((things) => {
    delete things["one-2"];
  });
  await stack.destroy(one({ value: 1 }), { refresh: true });
});

compare("what is to be ignored is left as others made it", async (stack) => {
  const program = one({ value: 1, other: 1 }, { ignoreChanges: ["value"] });
  await stack.up(program);
  stack.world((things) => {
    things["one-1"] = { name: "one", value: 2, other: 1 };
  });
  await stack.refresh(program);
  await stack.preview(program);
  await stack.up(program);
});

compareWithOwnHosts(
  "a refresh that cannot read keeps what is on record, and reads the rest",
  async (stack) => {
    const program = async () => {
      const bad = new Thing("bad", { fail: "read" });
      new Thing("good", { value: 1 }, { dependsOn: [bad] });
    };
    await stack.up(program);
    stack.world((things) => {
      things["good-1"] = { name: "good", value: 2 };
    });
    await stack.previewRefresh(program);
    await stack.refresh(program);
  },
);

compare("drift in what replaces is a replacement in the next update", async (stack) => {
  await stack.up(one({ identity: "a" }));
  stack.world((things) => {
    things["one-1"] = { name: "one", identity: "b" };
  });
  await stack.refresh(one({ identity: "a" }));
  await stack.up(one({ identity: "a" }));
});
