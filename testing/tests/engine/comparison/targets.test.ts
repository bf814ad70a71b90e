import { compare } from "./compare";
import { Thing } from "./thing";

const urn = (name: string) => `urn:pulumi:dev::comparison::pulumi-nodejs:dynamic/comparison:Thing::${name}`;

const three = (value: number) => async () => {
  const first = new Thing("first", { value });
  const second = new Thing("second", { value: first.value, other: value });
  new Thing("third", { value }, { dependsOn: [second] });
  return { value: second.value };
};

compare("a targeted update changes only its targets, and their dependents if requested", async (stack) => {
  await stack.up(three(1));
  await stack.preview(three(2), { target: [urn("first")] });
  await stack.up(three(2), { target: [urn("first")] });
  await stack.up(three(3), { target: [urn("first")], targetDependents: true });
  await stack.up(three(4), { target: ["urn:pulumi:dev::*::**Thing::s*"] });
});

compare("a targeted update creates only its targets, and fails if a dependency is missing", async (stack) => {
  await stack.preview(three(1), { target: [urn("first")] });
  await stack.up(three(1), { target: [urn("first")] });
  await stack.preview(three(1), { target: [urn("third")] });
  await stack.up(three(1), { target: [urn("third")] });
  await stack.up(three(1));
});

compare("an unknown target is an error", async (stack) => {
  await stack.up(three(1), { target: [urn("nobody")] });
  await stack.refresh(three(1), { target: [urn("nobody")] });
  await stack.destroy(three(1), { target: [urn("nobody")] });
});

compare("destroys a target only if it has no dependents or they are included", async (stack) => {
  await stack.up(three(1));
  await stack.destroy(three(1), { target: [urn("second")] });
  await stack.destroy(three(1), { target: [urn("third")] });
  await stack.destroy(three(1), { target: [urn("first")], targetDependents: true });
});

compare("a targeted refresh reads only its target", async (stack) => {
  await stack.up(three(1));
  stack.world((things) => {
    for (const thing of Object.values(things)) thing.value = 9;
  });
  await stack.refresh(three(1), { target: [urn("second")] });
});

compare("a targeted update deletes removed resources only if they are targets", async (stack) => {
  await stack.up(three(1));
  const first = async () => void new Thing("first", { value: 2 });
  await stack.up(first, { target: [urn("first")] });
  await stack.up(first, { target: [urn("second"), urn("third")] });
});
