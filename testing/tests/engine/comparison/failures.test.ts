import * as pulumi from "@pulumi/pulumi";
import { compareWithOwnHosts } from "./compare";
import { Thing, type ThingArgs } from "./thing";

const one = (args: ThingArgs) => async () => {
  const thing = new Thing("one", args);
  return { computed: thing.computed };
};
const nothing = async () => {};

compareWithOwnHosts(
  "a failed create skips its dependents, and the next update creates them",
  async (stack) => {
    const program = (fail: ThingArgs) => async () => {
      const good = new Thing("good", { value: 1 });
      const bad = new Thing("bad", { value: good.computed, ...fail });
      const needy = new Thing("needy", { value: bad.computed });
      return { good: good.computed, needy: needy.computed };
    };
    await stack.up(program({ fail: "create" }));
    await stack.up(program({}));
  },
);

compareWithOwnHosts("a partially created resource is stored, and the next up updates it", async (stack) => {
  await stack.up(one({ value: 1, partial: true }));
  await stack.preview(one({ value: 1 }));
  await stack.up(one({ value: 1 }));
  await stack.up(one({ value: 1 }));
});

compareWithOwnHosts("a partial update keeps the old inputs and stores the new outputs", async (stack) => {
  await stack.up(one({ value: 1 }));
  await stack.up(one({ value: 2, partial: true }));
  await stack.refresh(one({ value: 2 }));
  await stack.up(one({ value: 2 }));
});

compareWithOwnHosts("a failed update keeps the stored state", async (stack) => {
  await stack.up(one({ value: 1 }));
  await stack.up(one({ value: 2, fail: "update" }));
  await stack.up(one({ value: 2 }));
});

compareWithOwnHosts("reports invalid inputs before any operation", async (stack) => {
  const program = async () => {
    new Thing("valued", { invalid: "some value" });
  };
  await stack.preview(program);
  await stack.up(program);
  await stack.up(one({ invalid: { map: [1, "two", null, true], deeper: { a: 1.5 } } }));
  await stack.up(one({ invalid: pulumi.secret("hidden") }));
  await stack.preview(one({ reject: "all of it", invalid: 3 }));
  await stack.up(one({ reject: "all of it" }));
});

compareWithOwnHosts("an exception in check or diff fails the update", async (stack) => {
  await stack.up(one({ fail: "check" }));
  await stack.up(one({ value: 1 }));
  await stack.preview(one({ value: 2, fail: "diff" }));
  await stack.up(one({ value: 2, fail: "diff" }));
});

compareWithOwnHosts("a resource that cannot be deleted stays in the state", async (stack) => {
  await stack.up(one({ stubborn: true }));
  await stack.up(nothing);
  await stack.destroy(nothing);
});

compareWithOwnHosts("keeps the old stack output if the update of its resource fails", async (stack) => {
  const program = (args: ThingArgs) => async () => {
    const thing = new Thing("one", args);
    return { computed: thing.computed, fixed: "fixed" };
  };
  await stack.up(program({ value: 1 }));
  await stack.up(program({ value: 2, fail: "update" }));
});

compareWithOwnHosts(
  "prints the output of the provider and the log messages of the program",
  async (stack) => {
    await stack.up(async () => {
      const thing = new Thing("one", { noisy: true });
      await pulumi.log.info("for your information");
      await pulumi.log.warn("mind this", thing);
      await pulumi.log.info("in passing", thing, 7, true);
    });
    await stack.up(async () => {
      await pulumi.log.error("this is wrong");
    });
  },
);
