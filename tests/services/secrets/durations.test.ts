import { catalog } from "../../../provider/catalog";
import { canonicalField, encode } from "../../../provider/core/compare/model";
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
    "CloudCredentials.ttl",
    "CloudLease.lease",
    "CloudLease.leaseMax",
    "CloudRole.defaultStsTtl",
    "CloudRole.maxStsTtl",
    "CloudRoot.identityTokenTtl",
    "CloudStaticRole.rotationPeriod",
    "DirectoryConfig.connectionTimeout",
    "DirectoryConfig.requestTimeout",
    "DirectoryRole.defaultTtl",
    "DirectoryRole.maxTtl",
    "DirectoryStaticRole.rotationPeriod",
    "LibraryCheckOut.ttl",
    "LibrarySet.maxTtl",
    "LibrarySet.ttl",
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
  for (const wrong of ["a day", "", "1.5s", -1, 0.5, "h24"]) {
    expect(field.schema.safeParse(wrong).success).toBe(false);
  }
});
