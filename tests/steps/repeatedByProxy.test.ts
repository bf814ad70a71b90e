import type { HttpRequest } from "../../provider/core/http/request";
import type { Values } from "../../provider/core/language/object";
import { createFirst, expectUnchanged, scenes } from "./late";
import { Resource } from "./resource";
import type { Subject } from "./subject";
import { subjects } from "./subjects";
import { WORKSPACE_ID } from "./subjects/ofWorkspace";
import type { Fate, World } from "./world";

/** A proxy sends the next write twice, and returns the second response. */
function sendTwice(world: World): void {
  let isOver = false;
  world.fate = async (request): Promise<Fate> => {
    if (request.nature !== "read" && !isOver) {
      isOver = true;
      await world.carryOut(request);
    }
    return "passes";
  };
}

/** A proxy answers the next write in place of the service. */
function answerInstead(world: World, text: string): void {
  let isOver = false;
  world.fate = ({ nature }) => {
    if (nature === "read" || isOver) return "passes";
    isOver = true;
    return { answer: { status: 200, text }, isCarriedOut: false };
  };
}

function subjectOf(token: string): Subject {
  const found = subjects.find(([one]) => one === token)?.[1];
  if (found === undefined) throw new Error(`no subject is called ${token}`);
  return found;
}

async function fresh(token: string) {
  const { definition, world: begin } = subjectOf(token);
  const world = await begin();
  return { world, resource: new Resource(world, definition) };
}

const lock: Values = { workspaceId: WORKSPACE_ID, reason: "upgrade" };
const role: Values = { name: "deploy", credentialType: "iam_user", policyArns: "arn:aws:iam::1:policy/a" };

describe("a write that a proxy sends twice", () => {
  test.each(scenes)("is one update of a %s, which is not attributed to someone else", async (_, scene) => {
    const { world, resource } = await createFirst(scene);
    sendTwice(world);
    await resource.up(scene.second);
    expect(world.logged.join()).not.toContain("someone else");
    await expectUnchanged(resource, scene.second);
  });

  test("is one update of a job, even if the service adds members to it", async () => {
    const { world, resource } = await fresh("scheduler:Job");
    const job = (more: object): Values => ({
      json: {
        ID: "web",
        TaskGroups: [{ Name: "front", Tasks: [{ Name: "main", Driver: "docker" }], ...more }],
      },
    });
    await resource.create(job({}));
    const program = job({ Scaling: { Min: 1, Max: 10, Enabled: true } });
    sendTwice(world);
    await resource.up(program);
    await expectUnchanged(resource, program);
  });

  test("is not assumed: it is a conflict if someone else made the same change and added a member of their own", async () => {
    const subject = subjectOf("scheduler:Job");
    const { world, resource } = await fresh("scheduler:Job");
    const job = (Priority: number): Values => ({
      json: {
        ID: "web",
        Priority,
        TaskGroups: [{ Name: "front", Tasks: [{ Name: "main", Driver: "docker" }] }],
      },
    });
    await resource.create(job(50));
    await subject.edit(world, resource, { property: "json", value: { priority: 70, meta: "by hand" } });
    await expect(resource.up(job(70))).rejects.toThrow("was changed by someone else, or by your own update");
  });

  test("is a successful create if the object did not exist a moment ago", async () => {
    const { world, resource } = await fresh("workspaces:WorkspaceLock");
    sendTwice(world);
    await resource.create(lock);
    await expectUnchanged(resource, lock);
  });

  test("is reported as possibly our own create if the create was not preceded by a read", async () => {
    const { world, resource } = await fresh("workspaces:Workspace");
    sendTwice(world);
    const failure = String(await resource.create({ name: "app" }).catch((error: unknown) => error));
    expect(failure).toContain(
      "someone else created an identical object, a proxy sent the request twice, or the result of an earlier create was not saved in the state",
    );
    expect(failure).not.toContain("nothing was written");
  });

  test("is a successful delete, even if the second request finds nothing", async () => {
    const { world, resource } = await fresh("secrets:CloudRole");
    await resource.create(role);
    sendTwice(world);
    await resource.delete();
    expect(await resource.refresh()).toBe(false);
  });

  test("is not a delete if the service answers 404 and the object still exists", async () => {
    const { world, resource } = await fresh("secrets:CloudRole");
    await resource.create(role);
    world.fate = ({ method }) =>
      method === "DELETE"
        ? { answer: { status: 404, text: '{"errors":["no such role"]}' }, isCarriedOut: false }
        : "passes";
    await expect(resource.delete()).rejects.toThrow("returned 404");
  });
});

const writesAmong = (requests: readonly HttpRequest[]) => requests.filter(({ nature }) => nature !== "read");

const ANOTHER = '{"data":{"id":"ws-another","type":"workspaces","attributes":{"name":"app","locked":false}}}';
const STILL_LOCKED = `{"data":{"id":"${WORKSPACE_ID}","type":"workspaces","attributes":{"locked":true}}}`;

describe("a response that belongs to a different write", () => {
  test.each([ANOTHER, STILL_LOCKED])("is not taken as an unlock, which is sent again: %s", async (text) => {
    const { world, resource } = await fresh("workspaces:WorkspaceLock");
    await resource.create(lock);
    answerInstead(world, text);
    const before = world.requests.length;
    await resource.delete();
    expect(writesAmong(world.requests.slice(before))).toHaveLength(2);
    expect(await resource.refresh()).toBe(false);
  });

  test("is not taken as the assignment of an SSH key, which is sent again", async () => {
    const { world, resource } = await fresh("workspaces:Workspace");
    await resource.create({ name: "app", description: "one" });
    answerInstead(world, ANOTHER);
    const program = { name: "app", description: "one", sshKeyId: "sshkey-deploy" };
    const before = world.requests.length;
    await resource.up(program);
    expect(writesAmong(world.requests.slice(before))).toHaveLength(2);
    await expectUnchanged(resource, program);
  });

  test("with an index of a different job shows no changes after a create", async () => {
    const { world, resource } = await fresh("scheduler:Job");
    const program = {
      json: { ID: "web", TaskGroups: [{ Name: "front", Tasks: [{ Name: "main", Driver: "docker" }] }] },
    };
    let isOver = false;
    world.fate = ({ nature }) => {
      if (nature === "read" || isOver) return "passes";
      isOver = true;
      return { answer: { status: 200, text: '{"ID":"another","JobModifyIndex":700}' }, isCarriedOut: true };
    };
    await resource.create(program);
    await expectUnchanged(resource, program);
  });
});

describe("an update whose request is lost", () => {
  /** Loses the next write. */
  const lose = (world: World) => {
    let isOver = false;
    world.fate = ({ nature }) => {
      if (nature === "read" || isOver) return "passes";
      isOver = true;
      return "request lost";
    };
  };

  test("is sent again if it only detaches a repository that is still attached", async () => {
    const { world, resource } = await fresh("workspaces:Workspace");
    await resource.create({ name: "app", vcsRepo: { identifier: "acme/app", oauthTokenId: "ot-code" } });
    lose(world);
    await resource.up({ name: "app" });
    await resource.refresh();
    expect(resource.record.observed.vcsRepo ?? null).toBeNull();
    await expectUnchanged(resource, { name: "app" });
  });

  test("is sent again if only a setting-overwrites flag shows that it was not applied", async () => {
    const { world, resource } = await fresh("workspaces:Workspace");
    await resource.create({ name: "app", executionMode: "remote" });
    lose(world);
    await resource.up({ name: "app" });
    const sent = world.requests.filter(({ method }) => method === "PATCH").map(({ body }) => body);
    const attributes = { "setting-overwrites": { "execution-mode": false } };
    expect(sent).toEqual([0, 1].map(() => ({ data: { type: "workspaces", attributes } })));
  });

  test("is sent again if it writes a key that the service never returns", async () => {
    const { world, resource } = await fresh("secrets:CloudRoot");
    await resource.create({ accessKey: "AKIA1", secretKey: "hush-1", region: "eu-west-1" });
    lose(world);
    await resource.up({ accessKey: "AKIA2", secretKey: "hush-2", region: "eu-west-1" });
    expect(JSON.stringify(world.stub.dump())).toContain("hush-2");
  });

  test("has an unknown outcome after two losses if it writes only a key", async () => {
    const { world, resource } = await fresh("secrets:CloudRoot");
    await resource.create({ accessKey: "AKIA1", secretKey: "hush-1" });
    world.fate = ({ nature }) => (nature === "read" ? "passes" : "response lost");
    const failure = String(
      await resource.up({ accessKey: "AKIA2", secretKey: "hush-2" }).catch((error: unknown) => error),
    );
    expect(failure).toContain(
      "It is unknown whether the request was applied: the server does not return the changed values",
    );
  });

  test("is recognized as applied if the service shows a part of it", async () => {
    const { world, resource } = await fresh("secrets:CloudRoot");
    await resource.create({ accessKey: "AKIA1", secretKey: "hush-1", region: "eu-west-1" });
    let writes = 0;
    world.fate = ({ nature }) => (nature !== "read" && writes++ === 0 ? "response lost" : "passes");
    await resource.up({ accessKey: "AKIA2", secretKey: "hush-2", region: "eu-north-1" });
    expect(writes).toBe(1);
  });
});

test("an applied update with an unknown outcome leaves its tags to the next up", async () => {
  const { world, resource } = await fresh("workspaces:Workspace");
  await resource.create({ name: "app", description: "one", tagNames: ["prod"], tagBindings: { env: "a" } });
  let isDown = false;
  world.fate = async (request): Promise<Fate> => {
    if (isDown) return "request lost";
    isDown = request.method === "PATCH";
    return isDown ? "response lost" : "passes";
  };
  const program = { name: "app", description: "two words", tagNames: ["cost"], tagBindings: { env: "b" } };
  await expect(resource.up(program)).rejects.toThrow("It is unknown whether the request was applied");
  world.fate = () => "passes";
  await resource.refresh();
  expect(world.logged.join()).not.toContain("changed since");
  await resource.up(program);
  const [, tags = ""] = /"tags":\[([^\]]*)\]/.exec(JSON.stringify(world.stub.dump())) ?? [];
  expect(tags.split(",")).toHaveLength(1);
  await expectUnchanged(resource, program);
  expect(JSON.stringify(resource.outputs.tagNames)).toContain("cost");
});

test("a workspace that someone renames just before our update is updated, and the new name shows as drift", async () => {
  const subject = subjectOf("workspaces:Workspace");
  const { world, resource } = await fresh("workspaces:Workspace");
  await resource.create({ name: "app", description: "one" });
  world.fate = async ({ method }): Promise<Fate> => {
    if (method === "PATCH") await subject.edit(world, resource, { property: "name", value: "renamed" });
    return "passes";
  };
  const program = { name: "app", description: "two words" };
  await resource.up(program);
  expect(JSON.stringify(world.stub.dump())).toContain("two words");
  await resource.refresh();
  expect(resource.preview(program).changes.map(({ path }) => path)).toEqual([["name"]]);
});
