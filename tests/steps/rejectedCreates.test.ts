import { GoneError, PartialError } from "../../provider/core/state/errors";
import configEntry from "../../provider/services/mesh/configEntry";
import cloudStaticRole from "../../provider/services/secrets/cloudStaticRole";
import queueRole from "../../provider/services/secrets/queueRole";
import workspace from "../../provider/services/workspaces/workspace";
import { MeshService } from "../../testing/stub/services/mesh/service";
import { scene as secretsScene } from "../services/secrets/scene";
import { as, scene as workspaceScene } from "../services/workspaces/workspace-scene";
import { createFirst, newResource, scenes, writesOf } from "./late";
import { Resource } from "./resource";
import { type Fate, World } from "./world";

describe("a create that the service rejects because the name exists", () => {
  test("is sent again if the other object was deleted meanwhile", async () => {
    const { world, resource } = workspaceScene();
    const theirs = new Resource(world.another(), workspace);
    await theirs.create({ name: "app", description: "theirs" });
    world.onResponse = async ({ method }) => {
      world.onResponse = () => undefined;
      if (method === "POST")
        await world.send("DELETE", `/api/v2/workspaces/${theirs.id}`, undefined, as("owner"));
    };
    await resource.create({ name: "app", description: "ours" });
    expect(resource.record.observed.description).toBe("ours");
    expect(resource.id).not.toBe(theirs.id);
  });

  test("is sent twice and reports a possible missing read permission if the object is never visible", async () => {
    const { world, resource } = workspaceScene();
    await new Resource(world.another(), workspace).create({ name: "app" });
    world.onResponse = ({ nature }, answer) => {
      if (nature !== "read") return;
      const isList = Array.isArray(Object(answer.json).data);
      Object.assign(
        answer,
        isList ? { json: { data: [], meta: { pagination: { "next-page": null } } } } : { status: 404 },
      );
    };
    const writes = writesOf(world);
    await expect(resource.create({ name: "app" })).rejects.toThrow(
      "the server reports that the object exists, but does not return the object. The token may lack the permission to read the object",
    );
    expect(writes()).toBe(2);
    expect(resource.id).toBe("");
  });
});

describe("a program that adopts", () => {
  test("does not adopt an object with a different immutable property, and writes nothing", async () => {
    const { world, resource, theirs } = await secretsScene(cloudStaticRole);
    await theirs("cloud/static-roles/app", { username: "svc-theirs", rotation_period: 3600 });
    const writes = writesOf(world);
    const program = { name: "app", username: "svc-ours", rotationPeriod: "1h" };
    await expect(resource.create({ ...program, adopt: true })).rejects.toThrow(
      /cannot be adopted, because its immutable properties differ \(username\); nothing was written/,
    );
    expect(writes()).toBe(0);
    await resource.create({ ...program, username: "svc-theirs", rotationPeriod: "2h", adopt: true });
    expect(writes()).toBe(1);
  });
});

function onMesh() {
  const stub = new MeshService({
    switches: { dialect: "neutral" },
    seed: { tokens: { manager: { management: true } } },
  });
  const world = new World(stub, configEntry, { token: "manager" });
  return { world, entry: new Resource(world, configEntry) };
}

/** An entry with onConflict: overwrite, and another user who writes it just before each of our first writes. */
async function createContested(times: number) {
  const headers = { "x-mesh-token": "manager", "content-type": "application/json" };
  const { world, entry } = onMesh();
  const web = (Protocol: string) => ({
    kind: "service-defaults",
    name: "web",
    spec: { Protocol },
    onConflict: "overwrite",
  });
  await entry.create(web("http"));
  let round = 0;
  world.fate = async ({ nature }): Promise<Fate> => {
    if (nature === "read" || round++ >= times) return "passes";
    const theirs = { Kind: "service-defaults", Name: "web", Protocol: "http", MaxInboundConnections: round };
    await world.send("PUT", "/v1/config", theirs, headers);
    return "passes";
  };
  return { world, entry, web, writes: writesOf(world) };
}

describe("an entry that someone else changes before each of our writes", () => {
  test("is written at the sixth attempt, and there is no seventh", async () => {
    const calm = await createContested(5);
    await calm.entry.update(calm.web("grpc"));
    expect(calm.writes()).toBe(6);
    expect(calm.entry.preview(calm.web("grpc")).changes).toEqual([]);
    const { entry, web, writes } = await createContested(7);
    await expect(entry.update(web("grpc"))).rejects.toThrow(
      "keeps changing; nothing was written. Next: pulumi up again.",
    );
    expect(writes()).toBe(6);
  });

  test("is deleted at the sixth attempt, and there is no seventh", async () => {
    const calm = await createContested(5);
    await calm.entry.delete();
    expect(calm.writes()).toBe(6);
    const { entry, writes } = await createContested(7);
    await expect(entry.delete()).rejects.toThrow(
      "keeps changing, and was not deleted. Next: the same command again.",
    );
    expect(writes()).toBe(6);
  });
});

describe.each(scenes.filter(([, { isNamed }]) => isNamed))(
  "a %s that someone else deletes right after our write",
  (_, scene) => {
    const { subject, first, second } = scene;

    test.each(["create", "update"] as const)(
      "fails the %s and leaves a partial state, which the next refresh removes",
      async (step) => {
        const { world, resource } = await (step === "create" ? newResource(scene) : createFirst(scene));
        world.onResponse = async ({ nature }) => {
          if (nature === "read") return;
          world.onResponse = () => undefined;
          await subject.takeAway?.(world, resource);
        };
        const program = step === "create" ? first : second;
        const failure = await resource[step](program).catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(PartialError);
        expect(String(failure)).toContain("was deleted right after the response to its write");
        await expect(resource.update(program)).rejects.toThrow(GoneError);
        expect(await resource.refresh()).toBe(false);
      },
    );
  },
);

test("an update with a lost response whose value the service changes is confirmed by a repeat of the write", async () => {
  const { world, entry } = onMesh();
  const web = (Protocol: string) => ({ kind: "service-defaults", name: "web", spec: { Protocol } });
  await entry.create(web("http"));
  // From now on, the service returns a different value than the one that was written.
  world.onResponse = ({ nature }, answer) => {
    if (nature === "read" && Object(answer.json).Protocol === "grpc") Object(answer.json).Protocol = "grpc/2";
  };
  world.fate = ({ nature }) => {
    if (nature === "read") return "passes";
    world.fate = () => "passes";
    return "response lost";
  };
  await entry.up(web("grpc"));
  expect(entry.record.observed.spec).toMatchObject({ Protocol: "grpc/2" });
  expect(entry.preview(web("grpc")).changes).toEqual([]);
});

test("an update whose repeat loses its response, too, is reported as possibly our own", async () => {
  const { world, entry } = onMesh();
  const web = (Protocol: string) => ({ kind: "service-defaults", name: "web", spec: { Protocol } });
  await entry.create(web("http"));
  world.onResponse = ({ nature }, answer) => {
    if (nature === "read" && Object(answer.json).Protocol === "grpc") Object(answer.json).Protocol = "grpc/2";
  };
  world.fate = ({ nature }) => (nature === "read" ? "passes" : "response lost");
  await expect(entry.up(web("grpc"))).rejects.toThrow(
    "by someone else, or by your own update, whose outcome is unknown",
  );
});

test("a value that differs right after our write causes a warning if nothing proves who changed it", async () => {
  const { world, resource, theirs } = await secretsScene(queueRole);
  world.onResponse = async ({ nature }) => {
    if (nature !== "read") await theirs("msgq/roles/app", { tags: "policymaker" });
  };
  await resource.create({ name: "app", tags: "monitoring" });
  expect(world.logged.join("\n")).toMatch(
    /^warning: the object does not have the values just written: .* someone else wrote at the same time:\n[\s\S]*monitoring[\s\S]*policymaker/,
  );
});

test("an update that was delayed until its object was deleted reports that nothing was written", async () => {
  const { world, resource, deleteAsOther } = await secretsScene(queueRole);
  await resource.create({ name: "app", tags: "monitoring" });
  world.fate = async ({ nature }) => {
    if (nature === "read") return "passes";
    await deleteAsOther("msgq/roles/app");
    return "waits";
  };
  const error = await resource.update({ name: "app", tags: "management" }).catch((failed: unknown) => failed);
  expect(error).toBeInstanceOf(GoneError);
  expect((error as GoneError).facts.outcome).toBe("notApplied");
});

test("a delete that the server answers with 404 reports this response if the object cannot be read", async () => {
  const { world, resource } = await secretsScene(queueRole);
  await resource.create({ name: "app", tags: "monitoring" });
  world.fate = ({ nature }) => {
    if (nature === "read" && world.requests.some(({ method }) => method === "DELETE"))
      return { answer: { status: 403, text: '{"errors":["permission denied"]}' }, isCarriedOut: false };
    return nature === "read"
      ? "passes"
      : { answer: { status: 404, text: '{"errors":["no handler"]}' }, isCarriedOut: false };
  };
  await expect(resource.delete()).rejects.toThrow(/^DELETE .* returned 404/);
});
