import fc from "fast-check";
import { listObjects, questionOf } from "../../provider/core/functions/objects";
import type { Values } from "../../provider/core/language/object";
import { Snapshots } from "../../provider/core/requests/shared/snapshots";
import { namespaceOf } from "../../provider/services/secrets/namespaces";
import { twentieth } from "../rounds";
import { oneTimeActions } from "./oneTimeActions";
import { procedures } from "./procedures";
import { Resource } from "./resource";
import type { Subject } from "./subject";
import { subjects } from "./subjects";
import { World } from "./world";

const NAMESPACES = ["team", "team/web", "a@b", "a:b", "50%"];
// An alias names objects by IDs that exist in one namespace only.
const ofSecrets = subjects.filter(([token]) => token.startsWith("secrets:") && !/:\w+Alias$/.test(token));

/** A scene whose prerequisites exist in every namespace, too. */
async function withNamespaces<T>(make: () => Promise<T>, worldIn: (made: T) => World): Promise<T> {
  const sending = jest.spyOn(World.prototype, "send");
  const made = await make();
  const world = worldIn(made);
  const before = [...sending.mock.calls];
  sending.mockRestore();
  world.stub.seed({ namespaces: Object.fromEntries(NAMESPACES.map((path) => [path, {}])) });
  for (const namespace of NAMESPACES)
    for (const [method, path, body, headers] of before)
      await world.send(method, path, body, { ...headers, "x-secrets-namespace": namespace });
  return made;
}

const worldWith = ({ world: make }: Subject) => withNamespaces(make, (world) => world);

/** The namespaces that requests name. */
const named = ({ requests }: World) => [
  ...new Set(
    requests.map(({ headers }) => headers?.["X-Secrets-Namespace"] ?? headers?.["X-Vault-Namespace"]),
  ),
];

async function idsIn(world: World, { definition }: Subject, asked: Values): Promise<string[]> {
  const question = questionOf(definition);
  if (question === undefined) return [];
  const caller = { connection: world.connection, log: () => undefined };
  const ids: string[] = [];
  const args = Object.entries(asked).filter(([name]) => name in question.fields);
  for await (const { id } of listObjects(question, Object.fromEntries(args), { size: 10 }, caller))
    ids.push(id);
  return ids;
}

describe.each(ofSecrets)("a %s in a namespace", (_, subject) => {
  const { definition, programs } = subject;

  test("is a different object than one of the same name outside, and every request goes to its namespace", async () => {
    await fc.assert(
      fc.asyncProperty(programs, fc.constantFrom(...NAMESPACES), async (program, namespace) => {
        const world = await worldWith(subject);
        const there = world.another();
        const [own, other] = [new Resource(world, definition), new Resource(there, definition)];
        const written = { ...program, namespace };
        await own.create(program);
        await other.create(written);
        const prefix = `${encodeURIComponent(namespace)}@`;
        expect(other.id.startsWith(prefix)).toBe(true);
        expect(own.id).not.toContain("@");
        expect(await other.refresh()).toBe(true);
        expect(other.preview(written).changes).toEqual([]);
        expect(own.preview(written).changes).toMatchObject([{ path: ["namespace"], replaces: true }]);

        // Read the same object by its ID, and by a connection to the namespace.
        const read = new Resource(there, definition);
        expect(await read.get(other.id)).toMatchObject({ namespace });
        expect([read.id, read.record.observed]).toEqual([other.id, other.record.observed]);
        const within = new Resource(world.with({ namespace }), definition);
        await within.get(other.id.slice(prefix.length));
        expect([within.id, within.record.observed]).toEqual([
          other.id.slice(prefix.length),
          other.record.observed,
        ]);
        if (questionOf(definition)) expect(await idsIn(there, subject, written)).toContain(other.id);
        if (questionOf(definition)) expect(await idsIn(world, subject, program)).not.toContain(other.id);

        await other.delete();
        // A configuration that stays on the service is not deleted.
        if (definition.life.deletion.kind !== "stays") {
          expect(await other.refresh()).toBe(false);
          expect(await own.refresh()).toBe(true);
        }
        expect(named(there)).toEqual([namespace]);
        expect(named(world)).toEqual([undefined]);
      }),
      { numRuns: twentieth(100) },
    );
  });
});

test("a refresh reads one list for each namespace", async () => {
  const subject = ofSecrets.find(([token]) => token === "secrets:MfaMethod")?.[1];
  if (subject === undefined) throw new Error("there are methods");
  const world = await worldWith(subject);
  const snapshots = new Snapshots(() => world.now);
  const [program = {}] = fc.sample(subject.programs, 1);
  const made: Resource[] = [];
  for (const namespace of NAMESPACES) {
    for (const methodName of ["one", "two"]) {
      const resource = new Resource(world, subject.definition);
      await resource.create({ ...program, methodName, namespace });
      resource.snapshots = snapshots;
      made.push(resource);
    }
  }
  world.requests.splice(0);
  const before = made.map(({ outputs }) => outputs);
  expect(await Promise.all(made.map((resource) => resource.refresh()))).toEqual(made.map(() => true));
  expect(made.map(({ outputs }) => outputs)).toEqual(before);
  // The first method of a namespace is read by itself, and the second one reads the list.
  const lists = world.requests.filter(({ query }) => query?.list === "true");
  expect(
    lists.map(({ headers }) => headers?.["X-Secrets-Namespace"] ?? headers?.["X-Vault-Namespace"]).sort(),
  ).toEqual([...NAMESPACES].sort());
});

const ended = [...oneTimeActions, ...procedures].filter(
  ([, { definition }]) => definition.where.id.realm !== undefined,
);

test.each(ended)(
  "a %s in a namespace sends requests to that namespace only",
  async (_, { definition, scene }) => {
    for (const namespace of NAMESPACES) {
      const { world, program } = await withNamespaces(scene, (made) => made.world);
      const resource = new Resource(world, definition);
      const written = { ...program, namespace };
      await resource.create(written);
      expect(resource.id.startsWith(`${encodeURIComponent(namespace)}@`)).toBe(true);
      const { id } = resource;
      expect(await resource.refresh()).toBe(true);
      expect([resource.id, resource.preview(written).changes]).toEqual([id, []]);
      expect(resource.preview(program).changes).toMatchObject([{ path: ["namespace"], replaces: true }]);
      await resource.delete();
      expect(named(world)).toEqual([namespace]);
    }
  },
);

test("every action, procedure and write-only resource with a namespace is tested", () => {
  expect(ended.map(([token]) => token).sort()).toEqual([
    "secrets:CloudCredentials",
    "secrets:CloudRootRotation",
    "secrets:DirectoryCredentials",
    "secrets:DirectoryRoleRotation",
    "secrets:DirectoryRootRotation",
    "secrets:LibraryCheckOut",
    "secrets:QueueConnection",
    "secrets:QueueCredentials",
  ]);
});

test("a resource's namespace is relative to the connection's namespace", () => {
  expect(namespaceOf({}, {})).toBeUndefined();
  expect(namespaceOf({ namespace: "team/" }, {})).toBe("team/");
  for (const outer of ["team", "/team", "team/"])
    expect(namespaceOf({ namespace: outer }, { namespace: "a/b" })).toBe("team/a/b");
  for (const root of ["root", "/"]) expect(namespaceOf({ namespace: root }, { namespace: "a" })).toBe("a");
});

test("every Vault resource supports a namespace except those of the recovery key", () => {
  const { catalog } = require("../../provider/catalog") as typeof import("../../provider/catalog");
  const outside = Object.keys(catalog).filter(
    (token) => token.startsWith("secrets:") && catalog[token]?.().where.id.realm === undefined,
  );
  expect(outside.sort()).toEqual([
    "secrets:RecoveryBackupDeletion",
    "secrets:RecoveryKeyRekey",
    "secrets:RecoveryKeyVerification",
  ]);
});

test.each(["/team", "team/", "a//b", "", "root"])("the namespace %j is rejected", (namespace) => {
  const [, subject] = ofSecrets[0] ?? [];
  if (subject === undefined) throw new Error("there are subjects");
  const [program = {} as Values] = fc.sample(subject.programs, 1);
  return subject.world().then((world) => {
    const problems = new Resource(world, subject.definition).check({ ...program, namespace });
    expect(new Set(problems.map(({ path }) => path))).toEqual(new Set(["namespace"]));
  });
});
