import { z } from "zod";
import { catalog } from "../../../provider/catalog";
import { encode } from "../../../provider/core/diff/models";
import { canonicalField } from "../../../provider/core/diff/normalize";
import { knownFactsOf } from "../../../provider/core/language/facts";
import { fieldsOf } from "../../../provider/core/language/fields";
import type { Json } from "../../../provider/core/value/json";
import { durationAsText } from "../../../provider/core/value/spelling";
import functions from "../../../provider/services/secrets/functions";

const DAY: readonly Json[] = ["24h", "1440m", 86_400, "86400", "1d", "23h60m", "24h0m0s"];

const durations = Object.entries(catalog)
  .filter(([token]) => token.startsWith("secrets:"))
  .flatMap(([token, load]) =>
    fieldsOf(load())
      .filter(({ facts }) => facts.spelling?.doc.startsWith("Compared as a duration"))
      .map((field) => [`${token}.${field.name}`, field] as const),
  );

test("the duration properties of the Vault resources are as listed", () => {
  expect(durations.map(([name]) => name.replace("secrets:", "")).sort()).toEqual([
    "AppRole.secretIdTtl",
    "AppRole.tokenExplicitMaxTtl",
    "AppRole.tokenMaxTtl",
    "AppRole.tokenPeriod",
    "AppRole.tokenTtl",
    "AuthMethod.defaultLeaseTtl",
    "AuthMethod.maxLeaseTtl",
    "CloudCredentials.renewBefore",
    "CloudCredentials.ttl",
    "CloudCredentials.wrapTtl",
    "CloudLease.lease",
    "CloudLease.leaseMax",
    "CloudRole.defaultStsTtl",
    "CloudRole.maxStsTtl",
    "CloudRoot.identityTokenTtl",
    "CloudRoot.rotationPeriod",
    "CloudRoot.rotationWindow",
    "CloudStaticRole.rotationPeriod",
    "DirectoryConfig.connectionTimeout",
    "DirectoryConfig.requestTimeout",
    "DirectoryConfig.rotationPeriod",
    "DirectoryConfig.rotationWindow",
    "DirectoryCredentials.renewBefore",
    "DirectoryCredentials.wrapTtl",
    "DirectoryRole.defaultTtl",
    "DirectoryRole.maxTtl",
    "DirectoryStaticRole.rotationPeriod",
    "LibraryCheckOut.ttl",
    "LibrarySet.maxTtl",
    "LibrarySet.ttl",
    "Mount.defaultLeaseTtl",
    "Mount.maxLeaseTtl",
    "QueueCredentials.renewBefore",
    "QueueCredentials.wrapTtl",
    "QueueLease.maxTtl",
    "QueueLease.ttl",
    "UserpassUser.tokenExplicitMaxTtl",
    "UserpassUser.tokenMaxTtl",
    "UserpassUser.tokenPeriod",
    "UserpassUser.tokenTtl",
  ]);
});

test.each(durations)(
  "%s accepts only durations, and sends every format of one day in one form",
  (_, field) => {
    for (const spelling of DAY) {
      expect(field.schema.safeParse(spelling).success).toBe(true);
      expect(canonicalField(field, spelling)).toBe(86_400);
      expect(encode(field, spelling)).toBe(field.facts.spelling === durationAsText ? "24h0m0s" : 86_400);
    }
    for (const wrong of ["a day", "-1s", -1, 0.5, "0.5", "h24", "1 h", "1,5h"]) {
      expect([wrong, field.schema.safeParse(wrong).success]).toEqual([wrong, false]);
    }
  },
);

const LEAST = new Set(["CloudStaticRole.rotationPeriod", "DirectoryStaticRole.rotationPeriod"]);
const REQUIRED = new Set([...LEAST, "CloudLease.lease", "CloudLease.leaseMax"]);

test.each(durations)("%s accepts every format of a duration that the server accepts", (name, field) => {
  const own = name.replace("secrets:", "");
  for (const spelling of ["90.5s", "1.5m", "+90s", ".5h", "90000ms", "1.m30s", "90000000µs", "90000000μs"]) {
    expect([spelling, field.schema.safeParse(spelling).success]).toEqual([spelling, true]);
    expect(canonicalField(field, spelling)).toBeGreaterThanOrEqual(90);
  }
  // An optional value may be empty, and a value without a minimum may be 0.
  expect(field.schema.safeParse("").success).toBe(!REQUIRED.has(own));
  expect(field.schema.safeParse(0).success).toBe(!LEAST.has(own));
});

test.each(durations)("%s sends a fraction of a second with its unit", (_, field) => {
  expect(encode(field, "90500ms")).toBe(field.facts.spelling === durationAsText ? "0h1m30.5s" : "90.5s");
});

/** The secret outputs of a wrapped response. */
const WRAPPED = ["wrappingToken", "wrappingAccessor"];

/** The secret properties of each resource. A new resource needs an entry. */
const RESOURCES: Readonly<Record<string, readonly string[]>> = {
  QueueConnection: ["connectionUri", "password"],
  QueueLease: [],
  QueueRole: [],
  Mount: [],
  AuthMethod: [],
  PasswordPolicy: [],
  Policy: [],
  MfaMethod: ["apiToken"],
  LoginEnforcement: [],
  CloudRoot: ["secretKey"],
  CloudLease: [],
  CloudCredentials: ["mfaCode", "accessKey", "secretKey", "sessionToken", "arn", "leaseId", ...WRAPPED],
  CloudRole: [],
  CloudStaticRole: [],
  CloudRootRotation: [],
  DirectoryConfig: ["bindpass", "clientTlsKey"],
  DirectoryStaticRole: [],
  DirectoryRole: [],
  DirectoryCredentials: ["username", "password", "distinguishedNames", "leaseId", ...WRAPPED],
  QueueCredentials: ["username", "password", "leaseId", ...WRAPPED],
  DirectoryRootRotation: [],
  DirectoryRoleRotation: [],
  LibrarySet: [],
  LibraryCheckOut: ["password", "leaseId"],
  RecoveryKeyRekey: ["shares", "keys", "keysBase64"],
  RecoveryKeyVerification: ["shares"],
  RecoveryBackupDeletion: [],
  KvSecret: ["data.*"],
  UserpassUser: ["password"],
  AppRole: [],
  Entity: [],
  EntityAlias: [],
  Group: [],
  GroupAlias: [],
  Namespace: [],
};

/** The secret properties of each function that has any. The complete result of a credentials function is secret. */
const FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  getQueueCredentials: ["password"],
  getCloudCredentials: ["mfaCode", "secretKey", "sessionToken"],
  getCloudStaticCredentials: ["secretKey"],
  getDirectoryStaticCredentials: ["password", "lastPassword"],
  getDirectoryCredentials: ["password"],
  getRecoveryKeyBackup: ["keys"],
  getLibraryStatus: ["accounts.borrowerClientToken"],
};

/** The secret properties of a shape and of the elements of its lists. */
function secretsIn(shape: Readonly<Record<string, z.ZodType>>): string[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    if (knownFactsOf(schema)?.secret) return [name];
    const element = schema instanceof z.ZodArray ? schema.element : undefined;
    if (!(element instanceof z.ZodObject)) return [];
    // The members of a function's elements are schemas with facts.
    return secretsIn(element.shape as Record<string, z.ZodType>).map((inner) => `${name}.${inner}`);
  });
}

test("every secret property of a resource is marked as secret, and no other property", () => {
  const own = Object.entries(catalog).filter(([token]) => token.startsWith("secrets:"));
  const marked = own.map(([token, load]) => [
    token.replace("secrets:", ""),
    fieldsOf(load()).flatMap(({ name, facts }) => [
      ...(facts.secret ? [name] : []),
      ...(facts.document?.secret ?? []).map((pattern) => `${name}.${pattern}`),
    ]),
  ]);
  expect(Object.fromEntries(marked)).toEqual(RESOURCES);
});

test("every secret property of a function is marked, and the complete result of a credentials function", () => {
  const marked = Object.entries(functions).flatMap(([name, definition]) => {
    const secrets = secretsIn({ ...definition.fields, ...definition.result });
    return secrets.length > 0 ? [[name, secrets]] : [];
  });
  expect(Object.fromEntries(marked)).toEqual(FUNCTIONS);
  const credentials = Object.entries(functions).flatMap(([name, { isCredential }]) =>
    isCredential ? [name] : [],
  );
  expect(credentials).toEqual(Object.keys(FUNCTIONS).filter((name) => name.endsWith("Credentials")));
});
