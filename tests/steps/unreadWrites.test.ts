import type { Values } from "../../provider/core/language/object";
import type { Json } from "../../provider/core/value/json";
import { scenes } from "./late";
import { Resource } from "./resource";
import type { Subject } from "./subject";
import { subjects } from "./subjects";
import { jobSubject } from "./subjects/job";
import { queueRoleSubject } from "./subjects/secrets";
import { workspaceSubject } from "./subjects/workspace";
import type { Fate } from "./world";

const DENIED: Fate = { answer: { status: 403, text: "no" }, isCarriedOut: false };

async function createResource({ world, definition }: Subject, program: Values) {
  const resource = new Resource(await world(), definition);
  await resource.create(program);
  resource.world.requests.length = 0;
  return resource;
}

/** Rejects every request from this one on, as after the end of a token. */
function denyFrom({ world }: Resource, number: number): void {
  let sent = 0;
  world.fate = () => (sent++ >= number ? DENIED : "passes");
}

/** Expects that the next up completes the program and does not attribute the change to someone else. */
async function expectCompletedAsOwn(resource: Resource, program: Values): Promise<void> {
  resource.world.fate = () => "passes";
  resource.world.logged.length = 0;
  await resource.up(program);
  expect(resource.preview(program).changes).toEqual([]);
  expect(await resource.refresh()).toBe(true);
  expect(resource.preview(program).changes).toEqual([]);
  expect(resource.world.logged.join("\n")).not.toMatch(/someone else|by no up/);
}

/** Values that the service normalizes: weights to two digits, methods to capitals. */
const splitter = (weight: number): Values => ({
  name: "web",
  spec: { splits: [{ weight }, { weight: 100 - weight, service: "api" }] },
});
const router: Values = {
  name: "web",
  spec: {
    routes: [{ match: { http: { pathPrefix: "/", methods: ["get"] } }, destination: { service: "web" } }],
  },
};

function subjectOf(token: string): Subject {
  const [, subject] = subjects.find(([name]) => name === token) ?? [];
  if (subject === undefined) throw new Error(`there is no ${token}`);
  return subject;
}

const splitters = subjectOf("mesh:ServiceSplitter");
const job = (Priority: number): Values => ({
  json: { ID: "web", Priority, TaskGroups: [{ Name: "front", Tasks: [{ Name: "main", Driver: "docker" }] }] },
});

describe("the next up after a write that was applied and could not be read back", () => {
  test("completes a create whose values the service normalizes", async () => {
    const { world, definition } = subjectOf("mesh:ServiceRouter");
    const resource = new Resource(await world(), definition);
    denyFrom(resource, 2);
    await expect(resource.create(router)).rejects.toThrow(
      /403[\s\S]*The object was created and is in the state\. /,
    );
    await expectCompletedAsOwn(resource, router);
  });

  test("completes a job registration", async () => {
    const resource = await createResource(jobSubject, job(50));
    denyFrom(resource, 1);
    await expect(resource.up(job(70))).rejects.toThrow(/403(?![\s\S]*was created)/);
    await expectCompletedAsOwn(resource, job(70));
  });

  test("completes an update whose values the service normalizes", async () => {
    const resource = await createResource(splitters, splitter(50));
    denyFrom(resource, 1);
    await expect(resource.up(splitter(33.333))).rejects.toThrow("403");
    await expectCompletedAsOwn(resource, splitter(33.333));
  });

  test("completes an update whose proof by a repeated write was rejected, too", async () => {
    const resource = await createResource(splitters, splitter(50));
    denyFrom(resource, 2);
    await expect(resource.up(splitter(33.333))).rejects.toThrow(
      /or someone else wrote the object afterward.*pulumi up again/,
    );
    await expectCompletedAsOwn(resource, splitter(33.333));
  });

  test("is a conflict if someone else added a field before the read and the proof was rejected", async () => {
    const resource = await createResource(splitters, splitter(50));
    const { world } = resource;
    let sent = 0;
    world.fate = async (): Promise<Fate> => {
      sent += 1;
      if (sent === 2)
        await splitters.edit(world, resource, { property: "spec", value: { Meta: { a: "theirs" } } });
      return sent > 2 ? DENIED : "passes";
    };
    await expect(resource.up(splitter(33.333))).rejects.toThrow("or someone else wrote the object afterward");
    world.fate = () => "passes";
    await expect(resource.up(splitter(33.333))).rejects.toThrow(/outside this stack[\s\S]*theirs/);
  });

  test("completes an update without a response", async () => {
    const resource = await createResource(splitters, splitter(50));
    resource.world.fate = ({ nature }) => (nature === "read" ? DENIED : "response hangs");
    await expect(resource.up(splitter(33.333))).rejects.toThrow(
      "It is unknown whether the request was applied",
    );
    await expectCompletedAsOwn(resource, splitter(33.333));
  });

  test("is a conflict if someone else changed the value afterward", async () => {
    const resource = await createResource(splitters, splitter(50));
    denyFrom(resource, 1);
    await expect(resource.up(splitter(33.333))).rejects.toThrow("403");
    resource.world.fate = () => "passes";
    const other = new Resource(resource.world.another(), resource.definition);
    await other.get(resource.id);
    await other.up(splitter(10));
    await expect(resource.up(splitter(33.333))).rejects.toThrow("outside this stack");
  });

  test("sends the links that were not sent yet, without a conflict", async () => {
    const before = { name: "app", tagBindings: { owner: "b" } };
    const after = { name: "app", description: "one", sshKeyId: "sshkey-modules" };
    const resource = await createResource(workspaceSubject, before);
    let isPatched = false;
    resource.world.fate = ({ method, path }) => {
      isPatched ||= method === "PATCH" && path.includes("ssh-key");
      return isPatched ? DENIED : "passes";
    };
    await expect(resource.up(after)).rejects.toThrow("403");
    await expectCompletedAsOwn(resource, after);
  });
});

// A moment later it can be read, and contains an edit that was never shown.
describe.each(scenes.filter(([name]) => name !== "workspace"))(
  "a %s that someone edits right after a write that cannot be read back",
  (_, { subject, first, second, edit, driftedPath }) => {
    test("is not taken as written by us: the next up is a conflict that names the edited property", async () => {
      const resource = await createResource(subject, first);
      const { world } = resource;
      let isWritten = false;
      world.fate = async ({ nature }): Promise<Fate> => {
        if (nature !== "read") isWritten = true;
        if (nature !== "read" || !isWritten) return "passes";
        world.fate = () => "passes";
        await subject.edit(world, resource, edit);
        return DENIED;
      };
      await expect(resource.up(second)).rejects.toThrow("403");
      const message = await resource.up(second).catch(String);
      expect(message).toContain("outside this stack");
      expect(message).toContain(driftedPath);
    });
  },
);

test("a workspace update with a lost response is confirmed without the field that its execution mode implies", async () => {
  const resource = await createResource(workspaceSubject, { name: "app", operations: false });
  const local = { name: "app", executionMode: "local" };
  resource.world.fate = ({ method }) => (method === "PATCH" ? "response lost" : "passes");
  await expectCompleted(resource, local);
});

test("an up after a refresh reverts two changes that someone else made after our write, and a third one shows drift", async () => {
  const role = (vhosts: Values) => ({ name: "app", tags: "monitoring", vhosts: { "/": vhosts } });
  const resource = await createResource(queueRoleSubject, role({ configure: ".*" }));
  const { world } = resource;
  const edit = (property: string, value: Json) =>
    queueRoleSubject.edit(world.another(), resource, { property, value });
  let sent = 0;
  // Right after our write, and before its result is read.
  world.fate = async (): Promise<Fate> => {
    if (sent++ === 2) await edit("vhosts", { "/": { read: ".*" } });
    return "passes";
  };
  await resource.up(role({ write: ".*" }));
  world.fate = () => "passes";
  await edit("tags", "administrator");
  expect(await resource.refresh()).toBe(true);
  await expectCompleted(resource, role({ write: ".*" }));
  // The same value as that of the first change.
  await edit("vhosts", { "/": { read: ".*" } });
  expect(await resource.refresh()).toBe(true);
  const { changes } = resource.preview(role({ write: ".*" }));
  expect(changes).toContainEqual(
    expect.objectContaining({ path: expect.arrayContaining(["vhosts"]), cause: "drift" }),
  );
});

async function expectCompleted(resource: Resource, program: Values): Promise<void> {
  await resource.up(program);
  expect(resource.preview(program).changes).toEqual([]);
  expect(await resource.refresh()).toBe(true);
  expect(resource.preview(program).changes).toEqual([]);
}
