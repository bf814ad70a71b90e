import { catalog } from "../../../provider/catalog";
import { encode } from "../../../provider/core/diff/models";
import { canonicalField } from "../../../provider/core/diff/normalize";
import { fieldsOf } from "../../../provider/core/language/fields";
import type { Json } from "../../../provider/core/value/json";
import { durationAsText } from "../../../provider/core/value/spelling";

const DAY: readonly Json[] = ["24h", "1440m", 86_400, "86400", "1d", "23h60m", "24h0m0s"];

const durations = Object.entries(catalog)
  .filter(([token]) => token.startsWith("secrets:"))
  .flatMap(([token, load]) =>
    fieldsOf(load())
      .filter(({ facts }) => facts.spelling?.name.startsWith("duration"))
      .map((field) => [`${token}.${field.name}`, field] as const),
  );

test("the durations of the secrets service are these", () => {
  expect(durations.map(([name]) => name.replace("secrets:", "")).sort()).toEqual([
    "CloudCredentials.renewBefore",
    "CloudCredentials.ttl",
    "CloudCredentials.wrapTtl",
    "CloudLease.lease",
    "CloudLease.leaseMax",
    "CloudRole.defaultStsTtl",
    "CloudRole.maxStsTtl",
    "CloudRoot.identityTokenTtl",
    "CloudStaticRole.rotationPeriod",
    "DirectoryConfig.connectionTimeout",
    "DirectoryConfig.requestTimeout",
    "DirectoryCredentials.renewBefore",
    "DirectoryCredentials.wrapTtl",
    "DirectoryRole.defaultTtl",
    "DirectoryRole.maxTtl",
    "DirectoryStaticRole.rotationPeriod",
    "LibraryCheckOut.ttl",
    "LibrarySet.maxTtl",
    "LibrarySet.ttl",
    "QueueCredentials.renewBefore",
    "QueueCredentials.wrapTtl",
    "QueueLease.maxTtl",
    "QueueLease.ttl",
  ]);
});

test.each(durations)("%s: every spelling of a day is one value, and travels in one form", (_, field) => {
  for (const spelling of DAY) {
    expect(field.schema.safeParse(spelling).success).toBe(true);
    expect(canonicalField(field, spelling)).toBe(86_400);
    expect(encode(field, spelling)).toBe(field.facts.spelling === durationAsText ? "24h0m0s" : 86_400);
  }
  for (const wrong of ["a day", "-1s", -1, 0.5, "0.5", "h24", "1 h", "1,5h"]) {
    expect([wrong, field.schema.safeParse(wrong).success]).toEqual([wrong, false]);
  }
});

const LEAST = new Set(["CloudStaticRole.rotationPeriod", "DirectoryStaticRole.rotationPeriod"]);
const REQUIRED = new Set([...LEAST, "CloudLease.lease", "CloudLease.leaseMax"]);

test.each(durations)("%s: what the service reads as a duration is let through", (name, field) => {
  const own = name.replace("secrets:", "");
  for (const spelling of ["90.5s", "1.5m", "+90s", ".5h", "90000ms", "1.m30s", "90000000µs", "90000000μs"]) {
    expect([spelling, field.schema.safeParse(spelling).success]).toEqual([spelling, true]);
    expect(canonicalField(field, spelling)).toBeGreaterThanOrEqual(90);
  }
  // Nothing, where a value may be left out; a required one and one with a least value cannot be nothing.
  expect(field.schema.safeParse("").success).toBe(!REQUIRED.has(own));
  expect(field.schema.safeParse(0).success).toBe(!LEAST.has(own));
});

test.each(durations)("%s: a part of a second travels with its unit", (_, field) => {
  expect(encode(field, "90500ms")).toBe(field.facts.spelling === durationAsText ? "0h1m30.5s" : "90.5s");
});
