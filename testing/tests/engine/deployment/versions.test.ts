import { defaultNameOf, isOlder } from "../../../engine/deployment/provider/versions";

test("the name of a default provider contains its version", () => {
  const names = ["0.1.0", "1.2.3-beta.1", "2.0.0+build.7", undefined].map(defaultNameOf);
  expect(names).toEqual(["default_0_1_0", "default_1_2_3_beta_1", "default_2_0_0_build_7", "default"]);
});

test("defaultNameOf throws for an invalid version", () => {
  expect(() => defaultNameOf("latest")).toThrow("Invalid version: latest");
});

/** From old to new by semantic versioning. */
const ORDER = ["0.9.9", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2", "1.0.0-beta.11"];

test("pre-releases are older than their release, and numeric parts are compared as numbers", () => {
  const order = [...ORDER, "1.0.0", "1.0.1", "1.10.0", "2.0.0"];
  for (const [place, one] of order.entries()) {
    for (const [other, another] of order.entries()) {
      expect([one, another, isOlder(one, another)]).toEqual([one, another, place < other]);
    }
  }
});

test("a plugin without a version is older than any version", () => {
  expect(isOlder("", "0.0.1")).toBe(true);
});
