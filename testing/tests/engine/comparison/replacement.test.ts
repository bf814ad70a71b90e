import { compare, compareWithOwnHosts } from "./compare";
import { Thing, type ThingArgs } from "./thing";

const one =
  (args: ThingArgs, options: ConstructorParameters<typeof Thing>[2] = {}) =>
  async () => {
    const thing = new Thing("one", args, options);
    return { id: thing.id };
  };

compare("a replacement creates the new resource first, and updates its dependents", async (stack) => {
  const program = (identity: string) => async () => {
    const base = new Thing("base", { identity });
    new Thing("user", { value: base.id });
  };
  await stack.up(program("a"));
  await stack.preview(program("b"));
  await stack.up(program("b"));
  await stack.destroy(program("b"));
});

compare("a delete-before-replace also replaces the dependents that need a replacement", async (stack) => {
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

compare("deleteBeforeReplace overrides the order that the provider wants", async (stack) => {
  await stack.up(one({ identity: "a" }));
  await stack.up(one({ identity: "b" }, { deleteBeforeReplace: true }));
  await stack.up(one({ identity: "b", place: "x" }));
  await stack.up(one({ identity: "b", place: "y" }, { deleteBeforeReplace: false }));
});

compare("replaceOnChanges replaces the resource when a listed property changes", async (stack) => {
  const options = { replaceOnChanges: ["value"] };
  await stack.up(one({ value: 1, other: 1, undecided: true }, options));
  await stack.up(one({ value: 1, other: 2, undecided: true }, options));
  await stack.up(one({ value: 2, other: 2, undecided: true }, options));
});

compareWithOwnHosts(
  "a replaced resource that cannot be deleted stays in the state until a later update deletes it",
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
  "the next update completes a delete-before-replace whose create failed",
  async (stack) => {
    await stack.up(one({ place: "a" }));
    await stack.up(one({ place: "b", fail: "create" }));
    await stack.preview(one({ place: "b" }));
    await stack.up(one({ place: "b" }));
  },
);

compareWithOwnHosts(
  "forgets a resource that was deleted for a replacement and removed from the program",
  async (stack) => {
    await stack.up(one({ place: "a" }));
    await stack.up(one({ place: "b", fail: "create" }));
    await stack.up(async () => {});
  },
);

compareWithOwnHosts("a failed create of a replacement keeps the old resource", async (stack) => {
  await stack.up(one({ identity: "a" }));
  await stack.up(one({ identity: "b", fail: "create" }));
  await stack.up(one({ identity: "c" }));
});

compare("compares the inputs if the diff of the provider is unknown", async (stack) => {
  await stack.up(one({ value: { nested: [1] }, undecided: true }));
  await stack.up(one({ value: { nested: [1] }, undecided: true }));
  await stack.up(one({ value: { nested: [2] }, undecided: true }));
  await stack.up(one({ value: { nested: [2] }, undecided: true, other: null }));
});

compare("stores changed inputs without an update if the provider reports no changes", async (stack) => {
  await stack.up(one({ value: 1, mute: true }));
  await stack.up(one({ value: 2, mute: true }));
});

compare("a resource with deletedWith is replaced with its host", async (stack) => {
  const program = (args: ThingArgs) => async () => {
    const host = new Thing("host", args);
    new Thing("guest", { value: 1 }, { deletedWith: host });
  };
  await stack.up(program({ identity: "a", place: "a" }));
  await stack.preview(program({ identity: "b", place: "a" }));
  await stack.up(program({ identity: "b", place: "a" }));
  await stack.up(program({ identity: "b", place: "b" }));
});

compare("rejects a delete-before-replace that would delete a protected dependent", async (stack) => {
  const program = (place: string) => async () => {
    const base = new Thing("base", { place });
    new Thing("user", { identity: base.id }, { protect: true });
  };
  await stack.up(program("a"));
  await stack.preview(program("b"));
  await stack.up(program("b"));
});

compare("a replacement computes defaults again, and an update keeps the old defaults", async (stack) => {
  await stack.up(one({ complete: true, name: "a", value: 1 }));
  await stack.up(one({ complete: true, name: "b", value: 2 }));
  await stack.up(one({ complete: true, name: "c", identity: "x" }));
});

compareWithOwnHosts(
  "the run after a partially created replacement updates it and deletes the old resource",
  async (stack) => {
    await stack.up(one({ identity: "a" }));
    await stack.up(one({ identity: "b", partial: true }));
    await stack.up(one({ identity: "b" }));
  },
);

compare("one update replaces a chain of dependent resources", async (stack) => {
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
