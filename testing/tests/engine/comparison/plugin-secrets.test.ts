import * as pulumi from "@pulumi/pulumi";
import { compareWithPlugin } from "./compare";
import { PluginThing, ThingsProvider } from "./plugin-thing";

const nothing = async () => {};

compareWithPlugin("a plugin gets and returns secrets as secrets", async (stack) => {
  const program = (hidden: string) => async () => {
    const made = new PluginThing(
      "one",
      {
        value: pulumi.secret(hidden),
        other: { list: [pulumi.secret("inside"), "open"], map: { a: pulumi.secret({ b: 1 }) } },
      },
      { additionalSecretOutputs: ["computed"] },
    );
    const user = new PluginThing("user", { value: made.value });
    return { value: made.value, computed: made.computed, user: user.value, name: made.name };
  };
  await stack.preview(program("hidden"));
  await stack.up(program("hidden"));
  await stack.up(program("hidden"));
  await stack.preview(program("changed"), { diff: true });
  await stack.up(program("changed"));
  await stack.refresh(program("changed"));
  await stack.destroy(nothing);
});

compareWithPlugin("calls functions of a plugin", async (stack) => {
  const ask = (args: pulumi.Inputs, options: pulumi.InvokeOptions = {}) =>
    pulumi.runtime.invoke("things:index:look", args, options);
  const program = async () => {
    const maker = new ThingsProvider("maker", { label: "explicit" });
    const made = new PluginThing("one", { value: 1 });
    const plain = await ask({ a: 1, b: ["x"] });
    const versioned = await ask({ a: 2 }, { version: "1.2.0" });
    const later = pulumi.runtime.invokeOutput(
      "things:index:later",
      { of: made.computed },
      { provider: maker },
    );
    const secret = pulumi.runtime.invokeOutput("things:index:secret", { of: pulumi.secret("hidden") });
    return { plain, versioned, later, secret };
  };
  await stack.preview(program);
  await stack.up(program);
  await stack.up(async () => void (await ask({ invalid: true })));
  await stack.up(async () => void (await ask({ fail: true })));
});

compareWithPlugin("reads an existing resource of a plugin without managing it", async (stack) => {
  const look = (id: string) => async () => {
    const seen = new PluginThing("seen", { name: "made" }, { id });
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
