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

/** The options with which this resource is registered. */
const optionsOf = (args: object, opts?: CustomResourceOptions) =>
  resourceRegistration(kind, "first", args, opts)[3];

describe("additionalSecretOutputs", () => {
  it("contain the secret properties of the definition", () => {
    expect(optionsOf({ plan: { Length: 3 } }).additionalSecretOutputs).toEqual(["key"]);
  });

  it.each([
    { plan: { Combination: "7-7-7" } },
    { plan: { Lock: [{ Combination: "7-7-7" }] } },
    { plan: '{"Combination":"7-7-7"}' },
  ])("contain a document with a secret member: %j", (args) => {
    expect(optionsOf(args).additionalSecretOutputs).toContain("plan");
  });

  it.each([{ plan: { Combination: null } }, { plan: '{"Combination":""}' }, { plan: "Combination" }, {}])(
    "do not contain a document without a secret: %j",
    (args) => {
      expect(optionsOf(args).additionalSecretOutputs).not.toContain("plan");
    },
  );

  it("contain every document with possible secret members if the resource is read by its ID", () => {
    expect(optionsOf({}, { id: "1" }).additionalSecretOutputs).toEqual(["key", "plan"]);
  });

  it("are merged with those of the program, and its other options are unchanged", () => {
    const options = optionsOf({}, { additionalSecretOutputs: ["plan"], protect: true });
    expect(options.protect).toBe(true);
    expect(options.additionalSecretOutputs).toEqual(["key", "plan"]);
  });
});
