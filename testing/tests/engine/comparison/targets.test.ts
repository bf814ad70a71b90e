import { compare } from "./compare";
import { Thing } from "./thing";

const urn = (name: string) => `urn:pulumi:dev::comparison::pulumi-nodejs:dynamic/comparison:Thing::${name}`;

const three = (value: number) => async () => {
  const first = new Thing("first", { value });
  const second = new Thing("second", { value: first.value, other: value });
  new Thing("third", { value }, { dependsOn: [second] });
  return { value: second.value };
};

compare("an update of a target leaves the rest as it is", async (stack) => {
  await stack.up(three(1));
  await stack.preview(three(2), { target: [urn("first")] });
  await stack.up(three(2), { target: [urn("first")] });
  await stack.up(three(3), { target: [urn("first")], targetDependents: true });
  await stack.up(three(4), { target: ["urn:pulumi:dev::*::**Thing::s*"] });
});

compare("only targets are created, and none that needs what is left out", async (stack) => {
  await stack.preview(three(1), { target: [urn("first")] });
  await stack.up(three(1), { target: [urn("first")] });
  await stack.preview(three(1), { target: [urn("third")] });
  await stack.up(three(1), { target: [urn("third")] });
  await stack.up(three(1));
});

compare("a target that is nowhere is an error", async (stack) => {
  await stack.up(three(1), { target: [urn("nobody")] });
  await stack.refresh(three(1), { target: [urn("nobody")] });
  await stack.destroy(three(1), { target: [urn("nobody")] });
});

compare("a target is destroyed with what needs it or not at all", async (stack) => {
  await stack.up(three(1));
  await stack.destroy(three(1), { target: [urn("second")] });
  await stack.destroy(three(1), { target: [urn("third")] });
  await stack.destroy(three(1), { target: [urn("first")], targetDependents: true });
});

compare("a refresh of a target reads that one alone", async (stack) => {
  await stack.up(three(1));
  stack.world((things) => {
    for (const thing of Object.values(things)) thing.value = 9;
  });
  await stack.refresh(three(1), { target: [urn("second")] });
});

compare("what the program let go of is deleted only where it is a target", async (stack) => {
  await stack.up(three(1));
  const first = async () => void new Thing("first", { value: 2 });
  await stack.up(first, { target: [urn("first")] });
  await stack.up(first, { target: [urn("second"), urn("third")] });
});
