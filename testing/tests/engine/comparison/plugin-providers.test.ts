import * as pulumi from "@pulumi/pulumi";
import { compareWithPlugin } from "./compare";
import { PluginThing, ThingsProvider } from "./plugin-thing";
import { Group, Thing } from "./thing";

const nothing = async () => {};

compareWithPlugin("the default provider gets the configuration of the stack", async (stack) => {
  await stack.config("things:label", "of the stack");
  await stack.config("things:token", "hidden", true);
  await stack.config("things:object", JSON.stringify({ b: 1, a: ["x"] }));
  const program = async () => void new PluginThing("one", { value: 1 });
  await stack.preview(program);
  await stack.up(program);
  await stack.config("things:token", "rotated", true);
  await stack.preview(program);
  await stack.up(program);
  await stack.config("things:place", "elsewhere");
  await stack.preview(program);
  await stack.up(program);
  await stack.refresh(program);
  await stack.destroy(program);
});

compareWithPlugin("a program can use several providers with different settings", async (stack) => {
  const program = (token: string) => async () => {
    const first = new ThingsProvider("first", {
      label: "first",
      token: pulumi.secret(token),
      nested: { a: [1] },
    });
    const second = new ThingsProvider("second", {
      label: "second",
      nested: { token: pulumi.secret("inside") },
    });
    new PluginThing("by-first", { value: 1 }, { provider: first });
    new PluginThing("by-second", { value: 1 }, { provider: second });
    new PluginThing("by-default", { value: 1 });
  };
  await stack.preview(program("hidden"));
  await stack.up(program("hidden"));
  await stack.up(program("hidden"));
  await stack.preview(program("rotated"), { diff: true });
  await stack.up(program("rotated"));
  await stack.refresh(program("rotated"));
  await stack.up(async () => void new PluginThing("by-default", { value: 1 }));
  await stack.destroy(nothing);
});

compareWithPlugin("a replaced provider replaces its resources", async (stack) => {
  const program =
    (place: string, quiet = false) =>
    async () => {
      const maker = new ThingsProvider("maker", { place, ...(quiet && { quiet }) });
      const made = new PluginThing("one", { value: 1 }, { provider: maker });
      new PluginThing("user", { value: made.id });
    };
  await stack.up(program("here"));
  await stack.preview(program("there"));
  await stack.up(program("there"));
  await stack.up(program("there", true));
});

compareWithPlugin("a preview does not call a provider with unknown settings", async (stack) => {
  const program = (value: number) => async () => {
    const made = new PluginThing("source", { value });
    const maker = new ThingsProvider("maker", { label: made.computed });
    const late = new PluginThing("late", { value }, { provider: maker });
    const seen = new PluginThing("seen", { name: "source" }, { id: "source-1", provider: maker });
    const look = pulumi.runtime.invokeOutput("things:index:look", { a: 1 }, { provider: maker });
    return { late: late.computed, seen: seen.computed, look };
  };
  await stack.preview(program(1));
  await stack.up(program(1));
  await stack.preview(program(1));
  await stack.preview(async () => {
    const made = new PluginThing("source", { value: 2, identity: "other" });
    const maker = new ThingsProvider("maker", { label: made.computed });
    new PluginThing("late", { value: 2 }, { provider: maker });
  });
});

compareWithPlugin("children inherit the providers of their component", async (stack) => {
  const program = async () => {
    const maker = new ThingsProvider("maker", { label: "handed down" });
    new Group(
      "outer",
      (parent) => {
        new PluginThing("child", { value: 1 }, { parent });
        new Group(
          "inner",
          (inner) => {
            const made = new PluginThing("grandchild", { value: 1 }, { parent: inner });
            new PluginThing("below", { value: 2 }, { parent: made });
            return {};
          },
          { parent },
        );
        return {};
      },
      { providers: { things: maker } },
    );
    new PluginThing("outside", { value: 1 });
  };
  await stack.preview(program);
  await stack.up(program);
  await stack.up(program);
});

compareWithPlugin("each version of a plugin has a separate default provider", async (stack) => {
  const program = (first: string | undefined, second: string) => async () => {
    new PluginThing("first", { value: 1 }, first === undefined ? {} : { version: first });
    new PluginThing("second", { value: 1 }, { version: second });
    new ThingsProvider("maker", { label: "x" }, { version: second });
  };
  await stack.up(program(undefined, "1.2.0"));
  await stack.up(program("1.2.0", "1.1.0"));
  await stack.up(program("1.2.0", "1.1.0"));
  await stack.preview(program("1.3.0-beta.1", "1.2.0"));
  await stack.up(program("1.3.0-beta.1", "1.2.0"));
});

compareWithPlugin("a resource fails if its provider rejects its settings", async (stack) => {
  const program = (inputs: pulumi.Inputs) => async () => {
    const maker = new ThingsProvider("maker", inputs);
    // Outputs that wait for nothing can arrive before or after a failure.
    return { computed: new PluginThing("one", { value: 1 }, { provider: maker }).computed };
  };
  await stack.preview(program({ label: "bad" }));
  await stack.up(program({ label: "bad" }));
  await stack.preview(program({ required: "missing" }));
  await stack.up(program({ required: "missing" }));
  await stack.up(program({ label: "good" }));
});

compareWithPlugin("a resource can move to a different provider", async (stack) => {
  const made =
    (provider: (makers: Record<string, ThingsProvider>) => ThingsProvider | undefined) => async () => {
      const makers = {
        first: new ThingsProvider("first", { label: "a" }),
        same: new ThingsProvider("same", { label: "b" }),
        far: new ThingsProvider("far", { place: "far" }),
      };
      const chosen = provider(makers);
      new PluginThing("one", { value: 1 }, chosen ? { provider: chosen } : {});
    };
  await stack.up(made(() => undefined));
  await stack.preview(made(({ first }) => first));
  await stack.up(made(({ first }) => first));
  await stack.preview(
    made(({ same }) => same),
    { diff: true },
  );
  await stack.up(made(({ same }) => same));
  await stack.up(made(({ far }) => far));
});

compareWithPlugin("a dynamic resource can move to an explicit provider of a plugin", async (stack) => {
  const aliases = [{ type: "pulumi-nodejs:dynamic/comparison:Thing" }];
  await stack.up(async () => void new Thing("one", { value: 1 }));
  const program = (value: number) => async () => {
    const provider = new ThingsProvider("maker", { label: "x" });
    new PluginThing("one", { value }, { aliases, provider });
  };
  await stack.preview(program(1));
  await stack.up(program(2));
});

compareWithPlugin(
  "fails if the folder of a plugin is missing, contains no plugin, or the plugin does not start",
  async (stack) => {
    const program = async () => ({ computed: new PluginThing("one", { value: 1 }).computed });
    stack.declare({ things: "../nowhere" });
    await stack.up(program);
    stack.declare({ things: "../node_modules/yaml" });
    await stack.up(program);
    stack.declare({ things: "../plugin" });
    stack.environment("COMPARISON_FAIL_START", "yes");
    await stack.preview(program);
    stack.environment("COMPARISON_FAIL_START", "");
    await stack.up(program);
  },
);

compareWithPlugin("attaches to a running plugin for several commands", async (stack) => {
  await stack.attach();
  stack.declare({});
  const program = (value: number) => async () => {
    const maker = new ThingsProvider("maker", { label: "of its own" });
    const first = new PluginThing("first", { value });
    new PluginThing("second", { value: first.computed }, { provider: maker });
  };
  await stack.preview(program(1));
  await stack.up(program(1));
  await stack.up(program(2));
  await stack.refresh(program(2));
  await stack.destroy(program(2));
});
