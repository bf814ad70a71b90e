import { compare, compareWithOwnHosts } from "./compare";
import { Thing, type ThingArgs } from "./thing";

const one =
  (args: ThingArgs, options: ConstructorParameters<typeof Thing>[2] = {}) =>
  async () => {
    const thing = new Thing("one", args, options);
    return { id: thing.id };
  };

compare("a replacement makes the new one first, and what needs it moves over", async (stack) => {
  const program = (identity: string) => async () => {
    const base = new Thing("base", { identity });
    new Thing("user", { value: base.id });
  };
  await stack.up(program("a"));
  await stack.preview(program("b"));
  await stack.up(program("b"));
  await stack.destroy(program("b"));
});

compare("a replacement that deletes first takes what would be replaced with it", async (stack) => {
  const program = (place: string) => async () => {
    const base = new Thing("base", { place });
    const replaced = new Thing("replaced", { identity: base.id });
    new Thing("updated", { value: base.id });
    new Thing("chained", { identity: replaced.id });
    new Thing("bystander", { value: "still" }, { dependsOn: [base] });
  };
  await stack.up(program("a"));
  await stack.preview(program("b"));
  await stack.up(program("b"));
  await stack.destroy(program("b"));
});

compare("the program's word on the order of a replacement is the last", async (stack) => {
  await stack.up(one({ identity: "a" }));
  await stack.up(one({ identity: "b" }, { deleteBeforeReplace: true }));
  await stack.up(one({ identity: "b", place: "x" }));
  await stack.up(one({ identity: "b", place: "y" }, { deleteBeforeReplace: false }));
});

compare("replaceOnChanges turns an update into a replacement", async (stack) => {
  const options = { replaceOnChanges: ["value"] };
  await stack.up(one({ value: 1, other: 1, undecided: true }, options));
  await stack.up(one({ value: 1, other: 2, undecided: true }, options));
  await stack.up(one({ value: 2, other: 2, undecided: true }, options));
});

compareWithOwnHosts(
  "an old half that cannot be deleted stays, and goes with a later update",
  async (stack) => {
    await stack.up(one({ identity: "a", stubborn: true }));
    await stack.up(one({ identity: "b" }));
    await stack.transfer(({ resources = [] }) => {
      for (const { outputs } of resources) if (outputs) delete outputs.stubborn;
    });
    await stack.preview(one({ identity: "b" }));
    await stack.up(one({ identity: "b" }));
  },
);

compareWithOwnHosts(
  "a replacement that deleted first and then failed is finished by the next update",
  async (stack) => {
    await stack.up(one({ place: "a" }));
    await stack.up(one({ place: "b", fail: "create" }));
    await stack.preview(one({ place: "b" }));
    await stack.up(one({ place: "b" }));
  },
);

compareWithOwnHosts(
  "what was deleted to be replaced is forgotten when nobody wants it any more",
  async (stack) => {
    await stack.up(one({ place: "a" }));
    await stack.up(one({ place: "b", fail: "create" }));
    await stack.up(async () => {});
  },
);

compareWithOwnHosts("a new half that fails leaves the old one alone", async (stack) => {
  await stack.up(one({ identity: "a" }));
  await stack.up(one({ identity: "b", fail: "create" }));
  await stack.up(one({ identity: "c" }));
});

compare("a provider that cannot tell leaves it to the inputs", async (stack) => {
  await stack.up(one({ value: { nested: [1] }, undecided: true }));
  await stack.up(one({ value: { nested: [1] }, undecided: true }));
  await stack.up(one({ value: { nested: [2] }, undecided: true }));
  await stack.up(one({ value: { nested: [2] }, undecided: true, other: null }));
});

compare("a change that the provider does not mind is recorded and not made", async (stack) => {
  await stack.up(one({ value: 1, mute: true }));
  await stack.up(one({ value: 2, mute: true }));
});

compare("what is deleted with another is replaced with it", async (stack) => {
  const program = (args: ThingArgs) => async () => {
    const host = new Thing("host", args);
    new Thing("guest", { value: 1 }, { deletedWith: host });
  };
  await stack.up(program({ identity: "a", place: "a" }));
  await stack.preview(program({ identity: "b", place: "a" }));
  await stack.up(program({ identity: "b", place: "a" }));
  await stack.up(program({ identity: "b", place: "b" }));
});

compare(
  "a replacement that deletes first is refused for the sake of a protected dependent",
  async (stack) => {
    const program = (place: string) => async () => {
      const base = new Thing("base", { place });
      new Thing("user", { identity: base.id }, { protect: true });
    };
    await stack.up(program("a"));
    await stack.preview(program("b"));
    await stack.up(program("b"));
  },
);

compare("a replacement is completed anew, an update keeps what was filled in", async (stack) => {
  await stack.up(one({ complete: true, name: "a", value: 1 }));
  await stack.up(one({ complete: true, name: "b", value: 2 }));
  await stack.up(one({ complete: true, name: "c", identity: "x" }));
});

compareWithOwnHosts("a new half that is made by half takes its place all the same", async (stack) => {
  await stack.up(one({ identity: "a" }));
  await stack.up(one({ identity: "b", partial: true }));
  await stack.up(one({ identity: "b" }));
});

compare("a chain of replacements goes through in one update", async (stack) => {
  const program = (identity: string) => async () => {
    const first = new Thing("first", { identity });
    const second = new Thing("second", { identity: first.id });
    new Thing("third", { place: second.id });
  };
  await stack.up(program("a"));
  await stack.preview(program("b"));
  await stack.up(program("b"));
  await stack.destroy(program("b"));
});
