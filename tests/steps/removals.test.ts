import type { Values } from "../../provider/core/language/object";
import { dumped } from "../faults/dump";
import { Resource } from "./resource";
import { subjects } from "./subjects";
import type { Fate } from "./world";

function subjectOf(token: string) {
  const found = subjects.find(([name]) => name === token)?.[1];
  if (found === undefined) throw new Error(`there is no ${token}`);
  return found;
}

/** A RabbitMQ lease configuration, on its own mock server. */
async function lease(program: Values) {
  const subject = subjectOf("secrets:QueueLease");
  const world = await subject.world();
  const resource = new Resource(world, subject.definition);
  await resource.create(program);
  const readStored = async () => (await readByOther(resource)).record.observed;
  return { world, resource, readStored };
}

/** The object as another user reads it. */
async function readByOther({ world, definition, id }: Resource): Promise<Resource> {
  const other = new Resource(world.another(), definition);
  await other.get(id);
  return other;
}

describe("an update that only removes values and is not applied", () => {
  test("is sent again after a lost connection", async () => {
    const { world, resource, readStored } = await lease({ ttl: "1h", maxTtl: "24h" });
    let isLost = false;
    world.fate = ({ nature }): Fate => {
      if (nature === "read" || isLost) return "passes";
      isLost = true;
      return "request lost";
    };
    await resource.up({});
    expect(isLost).toBe(true);
    expect(await readStored()).toMatchObject({ ttl: 0, maxTtl: 0 });
  });

  test("has an unknown outcome if its request hangs, and the next up sends it again", async () => {
    const { world, resource, readStored } = await lease({ ttl: "1h", maxTtl: "24h" });
    world.fate = ({ nature }) => (nature === "read" ? "passes" : "request hangs");
    world.onSleep = (milliseconds) => {
      world.now += milliseconds;
    };
    await expect(resource.up({})).rejects.toThrow("the request may still be applied");
    world.fate = () => "passes";
    await resource.refresh();
    expect(resource.preview({}).changes).not.toEqual([]);
    await resource.up({});
    expect(await readStored()).toMatchObject({ ttl: 0, maxTtl: 0 });
    expect(resource.preview({}).changes).toEqual([]);
  });
});

test("a preview after a create with an unknown outcome shows the program's properties", async () => {
  const subject = subjectOf("secrets:QueueRole");
  const world = await subject.world();
  const resource = new Resource(world, subject.definition);
  const program = { name: "app", tags: "monitoring" };
  world.fate = ({ nature }) => (nature === "read" ? "passes" : "request hangs");
  world.onSleep = (milliseconds) => {
    world.now += milliseconds;
  };
  await expect(resource.create(program)).rejects.toThrow("the request may still be applied");
  expect(resource.preview(program).changes.map(({ path }) => path[0])).toContain("tags");
});

test("an up after a create with an unknown outcome creates an object that has only identity properties", async () => {
  const subject = subjectOf("workspaces:RegistryProvider");
  const world = await subject.world();
  const resource = new Resource(world, subject.definition);
  const program = { registryName: "private", name: "app", namespace: "acme" };
  world.fate = ({ nature }) => (nature === "read" ? "passes" : "request hangs");
  world.onSleep = (milliseconds) => {
    world.now += milliseconds;
  };
  await expect(resource.create(program)).rejects.toThrow("the request may still be applied");
  world.fate = () => "passes";
  await resource.refresh();
  expect(resource.preview(program).changes).not.toEqual([]);
  await resource.up(program);
  expect(resource.preview(program).changes).toEqual([]);
  expect((await readByOther(resource)).outputs).toMatchObject(program);
});

describe("an update that removes an entry of a map or list", () => {
  const role = { name: "deploy", credentialType: "iam_user", policyArns: ["arn:aws:iam::1:policy/a"] };
  const document = (...actions: string[]) => ({
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Action: actions, Resource: "*" }],
  });
  const cases: [token: string, what: string, first: Values, second: Values][] = [
    [
      "secrets:CloudRole",
      "one tag",
      { ...role, iamTags: { a: "1", b: "2" } },
      { ...role, iamTags: { a: "1" } },
    ],
    ["secrets:CloudRole", "every tag", { ...role, iamTags: { a: "1", b: "2" } }, { ...role, iamTags: {} }],
    [
      "secrets:CloudRole",
      "an action of the policy",
      { ...role, policyDocument: document("s3:*", "ec2:*") },
      { ...role, policyDocument: document("s3:*") },
    ],
    [
      "secrets:CloudRole",
      "the policy's ID",
      { ...role, policyDocument: { ...document("s3:*"), Id: "mine" } },
      { ...role, policyDocument: document("s3:*") },
    ],
    [
      "secrets:QueueRole",
      "a virtual host",
      { name: "app", vhosts: { "/": { read: ".*" }, orders: { read: ".*" } } },
      { name: "app", vhosts: { "/": { read: ".*" } } },
    ],
    [
      "secrets:QueueRole",
      "a permission",
      { name: "app", vhosts: { "/": { read: ".*", write: "^q" } } },
      { name: "app", vhosts: { "/": { read: ".*" } } },
    ],
    [
      "secrets:LibrarySet",
      "an account",
      { name: "ops", serviceAccountNames: ["svc-1", "svc-2"] },
      { name: "ops", serviceAccountNames: ["svc-1"] },
    ],
  ];

  async function ended(token: string, [first, second]: readonly [Values, Values], fate?: Fate) {
    const subject = subjectOf(token);
    const world = await subject.world();
    const resource = new Resource(world, subject.definition);
    await resource.create(first);
    let writes = 0;
    world.fate = ({ nature }) => (nature === "read" || ++writes > 1 ? "passes" : (fate ?? "passes"));
    await resource.up(second);
    expect(resource.preview(second).changes).toEqual([]);
    return { held: dumped(world.stub.dump()), writes };
  }

  test.each(cases)(
    "(%s: %s) is sent again after a lost request, and not after a lost response",
    async (token, _, first, second) => {
      const free = await ended(token, [first, second]);
      expect(free.writes).toBe(1);
      expect(await ended(token, [first, second], "request lost")).toEqual({ held: free.held, writes: 2 });
      expect(await ended(token, [first, second], "response lost")).toEqual({ held: free.held, writes: 1 });
    },
  );
});

test("an update to values that someone else has already set sends nothing and shows no changes afterward", async () => {
  const subject = subjectOf("mesh:TcpRoute");
  const world = await subject.world();
  const route = (parent: { [member: string]: string }) => ({ name: "route", spec: { parents: [parent] } });
  const resource = new Resource(world, subject.definition);
  await resource.create(route({ kind: "api-gateway", name: "front" }));
  const program = route({ name: "front", sectionName: "web" });
  await new Resource(world.another(), subject.definition).create({ ...program, adopt: true });
  expect(await resource.refresh()).toBe(true);
  const sent = world.requests.length;
  await resource.update({ ...program, onConflict: "overwrite" });
  expect(world.requests.length).toBe(sent);
  expect(resource.preview({ ...program, onConflict: "overwrite" }).changes).toEqual([]);
});
