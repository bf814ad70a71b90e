import * as pulumi from "@pulumi/pulumi";
import { compare } from "./compare";
import { Group, Thing } from "./thing";

const nothing = async () => {};

compare("creates, keeps, updates and deletes a resource", async (stack) => {
  const program = (value: string) => async () => {
    const thing = new Thing("one", { value });
    return { computed: thing.computed, id: thing.id };
  };
  await stack.preview(program("first"));
  await stack.up(program("first"));
  await stack.up(program("first"));
  await stack.preview(program("second"));
  await stack.up(program("second"));
  await stack.up(nothing);
  await stack.destroy(nothing);
});

compare("creates, refreshes and destroys a component with its children", async (stack) => {
  const program = async () => {
    const group = new Group("group", (parent) => {
      const child = new Thing("child", { value: 1 }, { parent });
      const other = new Thing("other", { value: child.computed }, { parent });
      return { computed: other.computed };
    });
    return { urn: group.urn };
  };
  await stack.up(program);
  await stack.up(program);
  await stack.refresh(program);
  await stack.destroy(program);
});

compare(
  "stores stack outputs of every type, and removes them when the program no longer has them",
  async (stack) => {
    await stack.up(async () => ({
      text: "text",
      number: 1.5,
      large: 1e21,
      yes: true,
      nothing: null,
      list: [1, "two", { three: 3 }],
      map: { nested: { deeply: ["x"] }, empty: {} },
      secret: pulumi.secret("hidden"),
      secretInside: { open: 1, closed: pulumi.secret(["hidden"]) },
    }));
    await stack.up(async () => ({ text: "other", secret: pulumi.secret("moved") }));
    await stack.up(nothing);
  },
);

compare("stores dependencies in the state, and deletes dependents first", async (stack) => {
  const program = async () => {
    const first = new Thing("first", { value: 1 });
    const second = new Thing("second", { value: first.computed, other: { deep: [first.id] } });
    new Thing("third", { value: 3 }, { dependsOn: [second] });
  };
  await stack.preview(program);
  await stack.up(program);
  await stack.destroy(program);
});

compare("a preview handles unknown values", async (stack) => {
  const program = (value: string) => async () => {
    const first = new Thing("first", { value });
    const second = new Thing("second", { value: { list: [first.computed, "known"] }, other: first.id });
    return { of: second.value, computed: second.computed, mixed: pulumi.interpolate`${first.id}!` };
  };
  await stack.preview(program("a"));
  await stack.up(program("a"));
  await stack.preview(program("b"));
});

compare("deletes resources that the program no longer contains", async (stack) => {
  const program = (names: readonly string[]) => async () => {
    for (const name of names) new Thing(name, { value: name });
  };
  await stack.up(program(["a", "b", "c"]));
  await stack.preview(program(["b"]));
  await stack.up(program(["b", "d"]));
  await stack.up(program([]));
});

compare("the program gets its configuration, and secret values stay secret", async (stack) => {
  await stack.config("plain", "open");
  await stack.config("other:token", "hidden", true);
  const program = async () => {
    const config = new pulumi.Config();
    const token = new pulumi.Config("other").requireSecret("token");
    const thing = new Thing("one", { value: config.require("plain"), other: token });
    return { plain: config.require("plain"), token, of: thing.value };
  };
  await stack.up(program);
  await stack.up(program);
  await stack.config("plain", "changed");
  await stack.up(program);
  await stack.refresh(program);
  await stack.destroy(program);
});

compare("an empty program creates only the stack", async (stack) => {
  await stack.preview(nothing);
  await stack.up(nothing);
  await stack.refresh(nothing);
  await stack.destroy(nothing);
  await stack.destroy(nothing);
});

compare("a destroy can be previewed", async (stack) => {
  const program = async () => {
    const first = new Thing("first", {});
    new Thing("second", { value: first.id });
  };
  await stack.up(program);
  await stack.previewDestroy(program);
  await stack.destroy(program);
});

compare("a provider gets and returns values of every type", async (stack) => {
  const value = {
    text: "ü \u0000 \u{1f600}",
    empty: "",
    number: -0.25,
    yes: true,
    no: false,
    list: [[], [{}], null],
    map: {},
  };
  await stack.up(async () => ({ back: new Thing("one", { value, other: null }).value }));
  await stack.up(async () => ({ back: new Thing("one", { value, other: null }).value }));
  await stack.refresh(nothing);
});
