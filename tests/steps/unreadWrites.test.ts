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

async function made({ world, definition }: Subject, program: Values) {
  const resource = new Resource(await world(), definition);
  await resource.create(program);
  resource.world.requests.length = 0;
  return resource;
}

/** From this request on, whatever is asked is refused: a token that ends. */
function denyFrom({ world }: Resource, number: number): void {
  let sent = 0;
  world.fate = () => (sent++ >= number ? DENIED : "passes");
}

/** The next up ends it, without blame, as whoever waits for it is told. */
async function expectEnded(resource: Resource, program: Values): Promise<void> {
  resource.world.fate = () => "passes";
  resource.world.logged.length = 0;
  await resource.up(program);
  expect(resource.preview(program).changes).toEqual([]);
  expect(await resource.refresh()).toBe(true);
  expect(resource.preview(program).changes).toEqual([]);
  expect(resource.world.logged.join("\n")).not.toMatch(/somebody else|by no up/);
}

/** What the service spells otherwise: weights of two digits, methods in capitals. */
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

describe("a write that was carried out and could not be read back is known by the next up as our own", () => {
  test("a create of what the service spells otherwise, because nobody wrote since", async () => {
    const { world, definition } = subjectOf("mesh:ServiceRouter");
    const resource = new Resource(await world(), definition);
    denyFrom(resource, 2);
    await expect(resource.create(router)).rejects.toThrow("403");
    await expectEnded(resource, router);
  });

  test("a register, because the index is the one that it got", async () => {
    const resource = await made(jobSubject, job(50));
    denyFrom(resource, 1);
    await expect(resource.up(job(70))).rejects.toThrow("403");
    await expectEnded(resource, job(70));
  });

  test("an update of what the service spells otherwise, because the service takes the same once more", async () => {
    const resource = await made(splitters, splitter(50));
    denyFrom(resource, 1);
    await expect(resource.up(splitter(33.333))).rejects.toThrow("403");
    await expectEnded(resource, splitter(33.333));
  });

  test("the same where the proof itself is refused, by the next up", async () => {
    const resource = await made(splitters, splitter(50));
    denyFrom(resource, 2);
    await expect(resource.up(splitter(33.333))).rejects.toThrow(/could not be asked.*pulumi up again/);
    await expectEnded(resource, splitter(33.333));
  });

  test("and what somebody adds before it is read back is theirs, also where the proof is refused", async () => {
    const resource = await made(splitters, splitter(50));
    const { world } = resource;
    let sent = 0;
    world.fate = async (): Promise<Fate> => {
      sent += 1;
      if (sent === 2)
        await splitters.edit(world, resource, { property: "spec", value: { Meta: { a: "theirs" } } });
      return sent > 2 ? DENIED : "passes";
    };
    await expect(resource.up(splitter(33.333))).rejects.toThrow("could not be asked");
    world.fate = () => "passes";
    await expect(resource.up(splitter(33.333))).rejects.toThrow(/by somebody else[\s\S]*theirs/);
  });

  test("an update that nobody saw answered, too", async () => {
    const resource = await made(splitters, splitter(50));
    resource.world.fate = ({ nature }) => (nature === "read" ? DENIED : "response hangs");
    await expect(resource.up(splitter(33.333))).rejects.toThrow("Whether it was carried out is not known");
    await expectEnded(resource, splitter(33.333));
  });

  test("and what somebody else moves after it is theirs all the same", async () => {
    const resource = await made(splitters, splitter(50));
    denyFrom(resource, 1);
    await expect(resource.up(splitter(33.333))).rejects.toThrow("403");
    resource.world.fate = () => "passes";
    const other = new Resource(resource.world.another(), resource.definition);
    await other.get(resource.id);
    await other.up(splitter(10));
    await expect(resource.up(splitter(33.333))).rejects.toThrow("by somebody else");
  });

  test("a part whose request was not sent yet is as it was seen, and no conflict", async () => {
    const before = { name: "app", tagBindings: { owner: "b" } };
    const after = { name: "app", description: "one", sshKeyId: "sshkey-modules" };
    const resource = await made(workspaceSubject, before);
    let isPatched = false;
    resource.world.fate = ({ method, path }) => {
      isPatched ||= method === "PATCH" && path.includes("ssh-key");
      return isPatched ? DENIED : "passes";
    };
    await expect(resource.up(after)).rejects.toThrow("403");
    await expectEnded(resource, after);
  });
});

// A moment later it can be read, and holds what nobody has been shown.
describe.each(scenes.filter(([name]) => name !== "workspace"))(
  "a %s that somebody edits just after a write, whose first read back is refused",
  (_, { subject, first, second, edit, moved }) => {
    test("is not taken as it is for what was written: the next up tells what was edited", async () => {
      const resource = await made(subject, first);
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
      const told = await resource.up(second).catch(String);
      expect(told).toContain("by somebody else");
      expect(told).toContain(moved);
    });
  },
);

test("a lost answer of a workspace is not waited for in what a mode holds and the body left out", async () => {
  const resource = await made(workspaceSubject, { name: "app", operations: false });
  const local = { name: "app", executionMode: "local" };
  resource.world.fate = ({ method }) => (method === "PATCH" ? "response lost" : "passes");
  await expectEndedBy(resource, local);
});

test("what went along with a write, and came back as written, is no drift, whatever it was before", async () => {
  const role = (vhosts: Values) => ({ name: "app", tags: "monitoring", vhosts: { "/": vhosts } });
  const resource = await made(queueRoleSubject, role({ configure: ".*" }));
  const { world } = resource;
  const edit = (property: string, value: Json) =>
    queueRoleSubject.edit(world.another(), resource, { property, value });
  let sent = 0;
  // Just after our write, and before it is read back.
  world.fate = async (): Promise<Fate> => {
    if (sent++ === 2) await edit("vhosts", { "/": { read: ".*" } });
    return "passes";
  };
  await resource.up(role({ write: ".*" }));
  world.fate = () => "passes";
  await edit("tags", "administrator");
  expect(await resource.refresh()).toBe(true);
  await expectEndedBy(resource, role({ write: ".*" }));
});

async function expectEndedBy(resource: Resource, program: Values): Promise<void> {
  await resource.up(program);
  expect(resource.preview(program).changes).toEqual([]);
  expect(await resource.refresh()).toBe(true);
  expect(resource.preview(program).changes).toEqual([]);
}
