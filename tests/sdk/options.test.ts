import type { CustomResourceOptions } from "@pulumi/pulumi";
import type { ResourceKind } from "../../sdk/runtime/kind";
import { resourceRegistration } from "../../sdk/runtime/registration";

const kind: ResourceKind = {
  token: "harbour:Quay",
  inputs: ["key", "plan"],
  required: [],
  outputs: [],
  secrets: ["key"],
  secretMembers: { plan: ["Combination"] },
};

/** The options with which such a resource is registered. */
const optionsOf = (args: object, opts?: CustomResourceOptions) =>
  resourceRegistration(kind, "first", args, opts)[3];

describe("the outputs that the engine keeps encrypted", () => {
  it("are what is secret whoever wrote it; what of the records is, the provider says", () => {
    expect(optionsOf({ plan: { Length: 3 } }).additionalSecretOutputs).toEqual(["key"]);
  });

  it.each([
    { plan: { Combination: "7-7-7" } },
    { plan: { Lock: [{ Combination: "7-7-7" }] } },
    { plan: '{"Combination":"7-7-7"}' },
  ])("hold a document in which a secret stands: %j", (args) => {
    expect(optionsOf(args).additionalSecretOutputs).toContain("plan");
  });

  it.each([{ plan: { Combination: null } }, { plan: '{"Combination":""}' }, { plan: "Combination" }, {}])(
    "do not hold one in which none stands: %j",
    (args) => {
      expect(optionsOf(args).additionalSecretOutputs).not.toContain("plan");
    },
  );

  it("hold every such document of what is read by its id, because nobody knows yet what is in it", () => {
    expect(optionsOf({}, { id: "1" }).additionalSecretOutputs).toEqual(["key", "plan"]);
  });

  it("are added to the program's own, and leave its other options alone", () => {
    const options = optionsOf({}, { additionalSecretOutputs: ["plan"], protect: true });
    expect(options.protect).toBe(true);
    expect(options.additionalSecretOutputs).toEqual(["key", "plan"]);
  });
});
