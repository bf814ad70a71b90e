import { compare, compareWithOwnHosts } from "./compare";
import { Thing, type ThingArgs } from "./thing";

const one =
  (args: ThingArgs, options: ConstructorParameters<typeof Thing>[2] = {}) =>
  async () => {
    const thing = new Thing("one", args, options);
    return { value: thing.value };
  };

compare("a refresh without drift changes nothing in the state", async (stack) => {
  await stack.up(one({ value: 1 }));
  await stack.previewRefresh(one({ value: 1 }));
  await stack.refresh(one({ value: 1 }));
  await stack.preview(one({ value: 1 }));
});

compare("a refresh finds drift, and the next update reverts it", async (stack) => {
  await stack.up(one({ value: 1 }));
  stack.world((things) => {
    things["one-1"] = { name: "one", value: 2, other: "added" };
  });
  await stack.previewRefresh(one({ value: 1 }));
  await stack.refresh(one({ value: 1 }));
  await stack.preview(one({ value: 1 }));
  await stack.up(one({ value: 1 }));
});

compare(
  "a refresh removes a deleted resource from the state, and the next update creates it again",
  async (stack) => {
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
  },
);

compare("preview, up and destroy can begin with a refresh", async (stack) => {
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

compare("an update keeps drift in properties of ignoreChanges", async (stack) => {
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
  "a refresh keeps the state of a resource that it cannot read, and refreshes the others",
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

compare("drift in an immutable property causes a replacement in the next update", async (stack) => {
  await stack.up(one({ identity: "a" }));
  stack.world((things) => {
    things["one-1"] = { name: "one", identity: "b" };
  });
  await stack.refresh(one({ identity: "a" }));
  await stack.up(one({ identity: "a" }));
});
