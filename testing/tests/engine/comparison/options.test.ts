import * as pulumi from "@pulumi/pulumi";
import { compare, compareWithOwnHosts } from "./compare";
import { Group, Thing, type ThingArgs } from "./thing";

const one =
  (args: ThingArgs, options: pulumi.CustomResourceOptions = {}, name = "one", type = "Thing") =>
  async () => {
    new Thing(name, { name: "one", ...args }, options, type);
  };
const nothing = async () => {};

compare("a protected resource is neither deleted nor replaced", async (stack) => {
  await stack.up(one({ identity: "a" }, { protect: true }));
  await stack.preview(nothing);
  await stack.up(nothing);
  await stack.preview(one({ identity: "b" }, { protect: true }));
  await stack.up(one({ identity: "b" }, { protect: true }));
  await stack.destroy(nothing);
  await stack.up(one({ identity: "b" }, { protect: false }));
  await stack.destroy(nothing);
});

compare("a resource with retainOnDelete leaves the state but is not deleted", async (stack) => {
  await stack.up(one({ identity: "a" }, { retainOnDelete: true }));
  await stack.up(one({ identity: "b" }, { retainOnDelete: true }));
  await stack.preview(nothing);
  await stack.up(nothing);
});

compare("ignoreChanges ignores changes at any depth", async (stack) => {
  const value = (n: number) => ({
    kept: n,
    moved: n,
    list: [
      { a: n, b: n },
      { a: n, b: n },
    ],
  });
  const options = { ignoreChanges: ["value.kept", "value.list[*].a", 'value["list"][1].b'] };
  await stack.up(one({ value: value(1), other: 1 }, options));
  await stack.preview(one({ value: value(2), other: 1 }, options));
  await stack.up(one({ value: value(2), other: 1 }, options));
  await stack.up(one({ value: value(3), other: 2 }, { ignoreChanges: ["*"] }));
  await stack.up(one({ value: { kept: 1, list: [] }, other: 2 }, { ignoreChanges: ["value.list[0].a"] }));
});

compare("an alias keeps a renamed resource", async (stack) => {
  await stack.up(one({ value: 1 }));
  await stack.up(one({ value: 1 }, { aliases: [{ name: "one" }] }, "two"));
  await stack.up(
    one(
      { value: 2 },
      { aliases: [{ name: "two", type: "pulumi-nodejs:dynamic/comparison:Thing" }] },
      "two",
      "Other",
    ),
  );
  const urn = "urn:pulumi:dev::comparison::pulumi-nodejs:dynamic/comparison:Other::two";
  await stack.up(one({ value: 2 }, { aliases: [urn] }, "three"));
  await stack.up(one({ value: 2 }, {}, "four"));
});

compare("an alias keeps a resource that moves into a component and out of it", async (stack) => {
  await stack.up(async () => {
    const moved = new Thing("moved", { value: 1 });
    new Thing("user", { value: moved.computed });
  });
  await stack.up(async () => {
    new Group("group", (parent) => {
      const moved = new Thing(
        "moved",
        { value: 1 },
        { parent, aliases: [{ parent: pulumi.rootStackResource }] },
      );
      return { computed: moved.computed };
    });
  });
  await stack.up(async () => {
    const group = "urn:pulumi:dev::comparison::comparison:Group::group";
    new Thing("moved", { value: 1 }, { aliases: [{ parent: group }] });
  });
});

compare("an alias of a renamed component keeps its children", async (stack) => {
  const program = (name: string, aliases: pulumi.Alias[]) => async () => {
    new Group(
      name,
      (parent) => {
        const first = new Thing(`${name}-first`, { name: "first" }, { parent });
        new Thing("second", { value: first.computed }, { parent });
        return {};
      },
      { aliases },
    );
  };
  await stack.up(program("old", []));
  await stack.preview(program("new", [{ name: "old" }]));
  await stack.up(program("new", [{ name: "old" }]));
  await stack.up(program("new", []));
});

compareWithOwnHosts("a resource with deletedWith is not deleted separately", async (stack) => {
  const program = async () => {
    const host = new Thing("host", {});
    new Thing("guest", { stubborn: true }, { deletedWith: host });
  };
  await stack.up(program);
  await stack.destroy(program);
});

compare("secrets stay secret in inputs, outputs and dependents", async (stack) => {
  const program = async () => {
    const thing = new Thing(
      "one",
      { value: pulumi.secret("hidden"), other: { list: [pulumi.secret("inside")], open: "open" } },
      { additionalSecretOutputs: ["computed"] },
    );
    const user = new Thing("user", { value: thing.value });
    return { value: thing.value, computed: thing.computed, user: user.value, name: thing.name };
  };
  await stack.preview(program);
  await stack.up(program);
  await stack.up(program);
  await stack.refresh(program);
  await stack.destroy(program);
});

compare("reads an existing resource without managing it", async (stack) => {
  const look = (id: string) => async () => {
    const seen = new Thing("seen", { name: "made" }, { id });
    return { value: seen.value };
  };
  stack.world((things) => {
    things["made-1"] = { name: "made", value: "there" };
  });
  await stack.preview(look("made-1"));
  await stack.up(look("made-1"));
  stack.world((things) => {
    things["made-1"] = { name: "made", value: "moved" };
  });
  await stack.up(look("made-1"));
  await stack.refresh(look("made-1"));
  await stack.up(look("missing"));
  await stack.destroy(nothing);
});

compare("a resource changes from read to managed and back", async (stack) => {
  stack.world((things) => {
    things["made-1"] = { name: "made", value: "there" };
  });
  const options = { id: "made-1" };
  await stack.up(async () => void new Thing("thing", { name: "made" }, options));
  await stack.up(async () => void new Thing("thing", { name: "own" }));
  await stack.up(async () => void new Thing("thing", { name: "made" }, options));
});

compare("stores the custom timeouts of a resource", async (stack) => {
  const options = (create: string) => ({ customTimeouts: { create, update: "1h30m", delete: "500ms" } });
  await stack.up(one({}, options("5m")));
  await stack.up(one({}, options("6m")));
  await stack.up(one({}));
});

compare("children inherit protect and retainOnDelete from their component", async (stack) => {
  const program = (protect: boolean) => async () => {
    new Group(
      "group",
      (parent) => {
        new Thing("child", {}, { parent });
        new Thing("free", {}, { parent, protect: false });
        return {};
      },
      { protect, retainOnDelete: true },
    );
  };
  await stack.up(program(true));
  await stack.destroy(nothing);
  await stack.up(program(false));
  await stack.destroy(nothing);
});

compare("rejects two resources with the same name", async (stack) => {
  await stack.up(
    async () => {
      new Thing("same", { value: 1 });
      new Thing("same", { value: 2 });
    },
    { parallel: 1 },
  );
});

compare("rejects two resources with the same alias", async (stack) => {
  await stack.up(one({ value: 1 }));
  await stack.up(
    async () => {
      new Thing("left", { name: "one" }, { aliases: [{ name: "one" }] });
      new Thing("right", { name: "one" }, { aliases: [{ name: "one" }] });
    },
    { parallel: 1 },
  );
});

compare("a resource can be an input of another resource and a stack output", async (stack) => {
  const program = async () => {
    const base = new Thing("base", { value: 1 });
    const user = new Thing("user", { value: base, other: { list: [base] } });
    return { base, user: user.computed };
  };
  await stack.preview(program);
  await stack.up(program);
  await stack.up(program);
  await stack.destroy(program);
});

compare("warns that an id in additionalSecretOutputs cannot be secret", async (stack) => {
  await stack.up(one({}, { additionalSecretOutputs: ["id", "computed", "nothing"] }));
});

compare("a dependency on a component is a dependency on all its children", async (stack) => {
  const program = (value: number) => async () => {
    const group = new Group("group", (parent) => {
      new Thing("child", { value }, { parent });
      return {};
    });
    new Thing("after", { value: 1 }, { dependsOn: [group] });
  };
  await stack.up(program(1));
  await stack.up(program(2));
  await stack.destroy(program(2));
});
