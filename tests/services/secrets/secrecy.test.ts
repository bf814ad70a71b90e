import { z } from "zod";
import { catalog } from "../../../provider/catalog";
import { knownFactsOf } from "../../../provider/core/language/facts";
import { fieldsOf } from "../../../provider/core/language/fields";
import functions from "../../../provider/services/secrets/functions";

/** What is kept of a wrapped answer, as far as it is secret. */
const WRAPPED = ["wrappingToken", "wrappingAccessor"];

/** Every property that is a secret, by its resource; a new one must be put here, or be seen to be missing. */
const RESOURCES: Readonly<Record<string, readonly string[]>> = {
  QueueConnection: ["connectionUri", "password"],
  QueueLease: [],
  QueueRole: [],
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
};

/** The same of the functions that have any; those that hand out credentials are secret as a whole besides. */
const FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  getQueueCredentials: ["password"],
  getCloudCredentials: ["mfaCode", "secretKey", "sessionToken"],
  getCloudStaticCredentials: ["secretKey"],
  getDirectoryStaticCredentials: ["password", "lastPassword"],
  getDirectoryCredentials: ["password"],
  getRecoveryKeyBackup: ["keys"],
  getLibraryStatus: ["accounts.borrowerClientToken"],
};

/** The secret properties of a shape, and those of the elements of its lists. */
function secretsIn(shape: Readonly<Record<string, z.ZodType>>): string[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    if (knownFactsOf(schema)?.secret) return [name];
    const element = schema instanceof z.ZodArray ? schema.element : undefined;
    if (!(element instanceof z.ZodObject)) return [];
    // The members of a function's elements are schemas with facts.
    return secretsIn(element.shape as Record<string, z.ZodType>).map((inner) => `${name}.${inner}`);
  });
}

test("the secrets of every resource are marked, and nothing else", () => {
  const own = Object.entries(catalog).filter(([token]) => token.startsWith("secrets:"));
  const marked = own.map(([token, load]) => [
    token.replace("secrets:", ""),
    fieldsOf(load()).flatMap(({ name, facts }) => (facts.secret ? [name] : [])),
  ]);
  expect(Object.fromEntries(marked)).toEqual(RESOURCES);
});

test("the secrets of every function are marked, and what hands out credentials is secret as a whole", () => {
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
