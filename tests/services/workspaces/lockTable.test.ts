import workspaceForceUnlock from "../../../provider/services/workspaces/workspaceForceUnlock";
import workspaceLock from "../../../provider/services/workspaces/workspaceLock";
import { hold } from "../../steps/late";
import { Resource } from "../../steps/resource";
import { WORKSPACE_ID, workspaceWorld } from "../../steps/subjects/ofWorkspace";
import type { Fate } from "../../steps/world";

const program = { workspaceId: WORKSPACE_ID, reason: "upgrade" };
const app = (more: object) => ({
  workspaces: [{ organization: "acme", name: "app", id: WORKSPACE_ID, ...more }],
});

/** A workspace in a state, a lock of ours, and what the service says of the workspace. */
function scene(more: object = {}) {
  const world = workspaceWorld(workspaceLock, app(more));
  const attributes = async () => {
    const { json } = await world.send("GET", `/api/v2/workspaces/${WORKSPACE_ID}`, undefined, {
      authorization: "Bearer owner",
    });
    // The stub answers a JSON:API document.
    return (json as { data: { attributes: { locked: boolean; "locked-reason": string | null } } }).data
      .attributes;
  };
  const act = (action: string, token = "owner", body?: { reason: string }) =>
    world.send("POST", `/api/v2/workspaces/${WORKSPACE_ID}/actions/${action}`, body, {
      authorization: `Bearer ${token}`,
      "content-type": "application/vnd.api+json",
    });
  return { world, attributes, act, lock: new Resource(world, workspaceLock) };
}

describe("States and transitions, row by row", () => {
  test("unlocked, POST lock: locked, with the reason", async () => {
    const { lock, attributes } = scene();
    await lock.create(program);
    expect(await attributes()).toMatchObject({ locked: true, "locked-reason": "upgrade" });
    expect(lock.id).toBe(WORKSPACE_ID);
    expect(lock.outputs.lockedBy).toMatch(/\S/);
  });

  test("locked, POST lock: stays locked, and the error names the holder and the reason", async () => {
    const { lock, attributes } = scene({ lockedBy: { user: "otto" }, lockedReason: "mine" });
    await expect(lock.create(program)).rejects.toThrow(
      /already exists[\s\S]*the workspace is locked by \S*otto\S* \(mine\)/,
    );
    expect(await attributes()).toMatchObject({ locked: true, "locked-reason": "mine" });
    expect(lock.id).toBe("");
  });

  test("locked, POST lock answered without a body: the error names the holder all the same", async () => {
    const { world, lock } = scene({ lockedBy: { user: "otto" }, lockedReason: "mine" });
    world.stub.configure({ lockConflictIsEmpty: true });
    await expect(lock.create(program)).rejects.toThrow(/the workspace is locked by \S*otto\S* \(mine\)/);
  });

  test("locked by us, POST unlock: unlocked", async () => {
    const { lock, attributes } = scene();
    await lock.create(program);
    await lock.delete();
    expect(await attributes()).toMatchObject({ locked: false });
  });

  test("locked, the latest state version not finalised: 503 is waited for, and then unlocked", async () => {
    const { world, lock, attributes } = scene({
      intermediateStateVersions: [{ id: "sv-1", finalizedAt: null }],
    });
    await lock.create(program);
    let asked = 0;
    world.fate = ({ path }) => {
      if (path.endsWith("/actions/unlock") && ++asked === 3) {
        world.stub.seed(app({ intermediateStateVersions: [{ id: "sv-1", finalizedAt: 0 }] }));
      }
      return "passes";
    };
    await lock.delete();
    expect(asked).toBe(3);
    expect(world.logged.join("\n")).toContain("waiting for the latest state version to be finalised");
    expect(await attributes()).toMatchObject({ locked: false });
  });

  test("locked, the latest state version never finalised: an error with the service's words, and force on request", async () => {
    const { lock, attributes } = scene({ intermediateStateVersions: [{ id: "sv-1", finalizedAt: null }] });
    await lock.create(program);
    await expect(lock.delete()).rejects.toThrow(/answered 503.*pending/s);
    expect(await attributes()).toMatchObject({ locked: true });
    await lock.up({ ...program, forceUnlock: true });
    await lock.delete();
    expect(await attributes()).toMatchObject({ locked: false });
  });

  test("unlocked, POST unlock: nothing to do, so a delete is a success", async () => {
    const { world, lock, act } = scene();
    await lock.create(program);
    world.fate = async ({ path }): Promise<Fate> => {
      if (path.endsWith("/actions/unlock")) await act("force-unlock");
      return "passes";
    };
    await lock.delete();
  });

  test("unlocked, POST unlock, told in the older form of errors: a success all the same", async () => {
    const { world, lock, act } = scene();
    world.stub.configure({ errorForm: "strings" });
    await lock.create(program);
    world.fate = async ({ path }): Promise<Fate> => {
      if (path.endsWith("/actions/unlock")) await act("force-unlock");
      return "passes";
    };
    await lock.delete();
  });

  test("locked by somebody else, POST unlock: theirs stays, and ours is gone", async () => {
    const { lock, act, attributes } = scene();
    await lock.create(program);
    await act("force-unlock");
    await act("lock", "other", { reason: "theirs" });
    expect(await lock.refresh()).toBe(false);
    await lock.delete();
    expect(await attributes()).toMatchObject({ locked: true, "locked-reason": "theirs" });
  });

  test("locked by somebody else between our look and our unlock: 409 names the holder, and theirs stays", async () => {
    const { world, lock, act, attributes } = scene();
    await lock.create(program);
    world.fate = async ({ path }): Promise<Fate> => {
      if (path.endsWith("/actions/unlock")) {
        await act("force-unlock");
        await act("lock", "other", { reason: "theirs" });
      }
      return "passes";
    };
    await expect(lock.delete()).rejects.toThrow(/answered 409.*otto/s);
    expect(await attributes()).toMatchObject({ locked: true, "locked-reason": "theirs" });
  });

  test("locked, POST force-unlock with admin access: unlocked, whoever held it", async () => {
    const { world, attributes } = scene({ lockedBy: { user: "otto" } });
    await new Resource(world, workspaceForceUnlock).create({ workspaceId: WORKSPACE_ID });
    expect(await attributes()).toMatchObject({ locked: false });
  });

  test("locked, POST force-unlock without admin access: 404, and it stays locked", async () => {
    const { world, attributes } = scene({ lockedBy: { user: "otto" } });
    const runner = new Resource(world.with({ token: "runner" }), workspaceForceUnlock);
    await expect(runner.create({ workspaceId: WORKSPACE_ID })).rejects.toThrow("answered 404");
    expect(await attributes()).toMatchObject({ locked: true });
  });

  test("unlocked, POST force-unlock: 409, which is nothing to do", async () => {
    const { world } = scene();
    const unlock = new Resource(world, workspaceForceUnlock);
    await unlock.create({ workspaceId: WORKSPACE_ID });
    expect(unlock.outputs.outcome).toBe("done");
  });
});

describe("a lock on a workspace", () => {
  test("is replaced where its reason changes, unlocking first", async () => {
    const { lock } = scene();
    await lock.create(program);
    const { changes, deleteFirst } = lock.preview({ ...program, reason: "another" });
    expect(changes.map(({ path, replaces }) => [path, replaces])).toEqual([[["reason"], true]]);
    expect(deleteFirst).toBe(true);
  });

  test("of somebody else with another reason is never taken over, not even where the program adopts", async () => {
    const { lock, attributes } = scene({ lockedBy: { user: "otto" }, lockedReason: "mine" });
    await expect(lock.create({ ...program, adopt: true })).rejects.toThrow(/already exists.*locked by/s);
    await expect(lock.create(program)).rejects.not.toThrow(/adopt/);
    expect(await attributes()).toMatchObject({ "locked-reason": "mine" });
  });

  test("of somebody else is not taken for ours where our answer was lost, and is never unlocked by us", async () => {
    const { world, lock, attributes } = scene({ lockedBy: { user: "otto" }, lockedReason: "" });
    world.fate = ({ method }) => (method === "POST" ? "request lost" : "passes");
    await expect(lock.create({ workspaceId: WORKSPACE_ID, forceUnlock: true })).rejects.toThrow(
      /already exists/,
    );
    expect(lock.id).toBe("");
    expect(await attributes()).toMatchObject({ locked: true });
  });

  test("whose unlock is answered by a gateway, or without a word, is looked at", async () => {
    for (const answered of [
      { status: 502, text: "bad gateway" },
      { status: 409, text: "" },
    ]) {
      const { world, lock, attributes } = scene();
      await lock.create(program);
      world.afterwards = ({ path }, answer) => {
        if (path.endsWith("/unlock")) Object.assign(answer, answered, { json: undefined });
      };
      await lock.delete();
      expect(await attributes()).toMatchObject({ locked: false });
    }
  });

  test("of a workspace that is gone, by its organization's list, is gone with it", async () => {
    const { world, lock } = scene();
    await lock.create(program);
    await world.send("DELETE", `/api/v2/workspaces/${WORKSPACE_ID}`, undefined, {
      authorization: "Bearer owner",
    });
    expect(await lock.refresh()).toBe(false);
    await lock.delete();
  });

  test("of a workspace that can no longer be read is not taken for gone", async () => {
    const { world, lock } = scene();
    await lock.create(program);
    const stranger = new Resource(world.with({ token: "nobody" }), workspaceLock);
    stranger.id = lock.id;
    stranger.outputs = lock.outputs;
    await expect(stranger.refresh()).rejects.toThrow("answered 401");
  });
});

describe("a lock that is unlocked with force, and whose place somebody else takes before the request goes again", () => {
  const PENDING = JSON.stringify({ errors: [{ status: "503", title: "pending" }] });
  test.each([
    ["a rate limit", undefined],
    ["a gateway", "<html>503</html>"],
    ["a state version that is not finalised", PENDING],
  ])("because of %s, stays theirs", async (_, unavailable) => {
    const { world, lock, act, attributes } = scene();
    await lock.create({ ...program, forceUnlock: true });
    let sent = 0;
    world.fate = async ({ path }): Promise<Fate> => {
      if (!path.endsWith("/force-unlock") || ++sent > 1) return "passes";
      await act("force-unlock");
      await act("lock", "other", { reason: "theirs" });
      return unavailable === undefined
        ? "waits"
        : { answer: { status: 503, text: unavailable }, isCarriedOut: false };
    };
    await lock.delete();
    expect(sent).toBe(1);
    expect(await attributes()).toMatchObject({ locked: true, "locked-reason": "theirs" });
  });
});

describe("a lock that cannot be told to be ours", () => {
  const forced = { ...program, forceUnlock: true };
  const actions = ({ requests }: ReturnType<typeof scene>["world"]) =>
    requests.flatMap(({ path }) => /actions\/(.*unlock)$/.exec(path)?.[1] ?? []);

  test("by its holder, whom the service does not name, is never broken, also where the program wants force", async () => {
    const { world, lock, act, attributes } = scene();
    world.stub.configure({ showsLockHolder: false });
    await lock.create(forced);
    expect(lock.preview(forced).changes).toEqual([]);
    expect(await lock.refresh()).toBe(true);
    // Somebody else breaks it, and takes the workspace.
    await act("force-unlock");
    await act("lock", "other", { reason: "theirs" });
    await expect(lock.delete()).rejects.toThrow(/answered 409/);
    expect(actions(world)).toEqual(["unlock"]);
    expect(world.logged.join()).toContain("forceUnlock is not used");
    world.stub.configure({ showsLockHolder: true });
    expect(await attributes()).toMatchObject({ locked: true, "locked-reason": "theirs" });
  });

  test("by its holder is unlocked without force where it is ours", async () => {
    const { world, lock, attributes } = scene();
    world.stub.configure({ showsLockHolder: false });
    await lock.create(forced);
    await lock.refresh();
    await lock.delete();
    expect(actions(world)).toEqual(["unlock"]);
    expect(await attributes()).toMatchObject({ locked: false });
  });

  test.each([true, false])(
    "because its answer was lost is kept as perhaps ours, its holder shown: %s; no force is ever sent",
    async (showsLockHolder) => {
      const { world, lock, attributes } = scene();
      world.stub.configure({ showsLockHolder });
      world.fate = ({ path }) => (path.endsWith("/lock") ? "response lost" : "passes");
      await lock.create(forced);
      world.fate = () => "passes";
      expect(lock.id).toBe(WORKSPACE_ID);
      expect(lock.preview(forced).changes).toEqual([]);
      expect(await lock.refresh()).toBe(true);
      expect(lock.preview(forced).changes).toEqual([]);
      await lock.delete();
      expect(actions(world)).toEqual(["unlock"]);
      expect(await attributes()).toMatchObject({ locked: false });
    },
  );

  test("because its request was lost while somebody else locked stays theirs", async () => {
    for (const showsLockHolder of [true, false]) {
      const { world, lock, act, attributes } = scene();
      world.stub.configure({ showsLockHolder });
      world.fate = async ({ path }): Promise<Fate> => {
        if (!path.endsWith("/lock")) return "passes";
        await act("lock", "other", { reason: program.reason });
        return "request lost";
      };
      await lock.create(forced);
      world.fate = () => "passes";
      await lock.refresh();
      await expect(lock.delete()).rejects.toThrow(/answered 409.*otto/s);
      expect(actions(world)).toEqual(["unlock"]);
      expect(await attributes()).toMatchObject({ locked: true });
    }
  });

  test.each(["up", "refresh", "destroy"] as const)(
    "because its create hung, and somebody else locked meanwhile, is never broken once an %s has met it",
    async (way) => {
      const { world, lock, act, attributes } = scene();
      const timed = { ...forced, timeouts: { create: 1 } };
      hold(world);
      await expect(lock.create(timed)).rejects.toThrow("may still be carried out");
      await act("lock", "other", { reason: program.reason });
      if (way === "up") await lock.up(timed);
      if (way === "refresh") expect(await lock.refresh()).toBe(true);
      await expect(lock.delete()).rejects.toThrow(/answered 409.*otto/s);
      expect(actions(world)).toEqual(["unlock"]);
      expect(await attributes()).toMatchObject({ locked: true });
    },
  );

  test("but shows another reason is somebody else's: the create fails", async () => {
    const { world, lock, act } = scene();
    world.fate = async ({ path }): Promise<Fate> => {
      if (!path.endsWith("/lock")) return "passes";
      await act("lock", "other", { reason: "theirs" });
      return "request lost";
    };
    await expect(lock.create(forced)).rejects.toThrow(/exists\. Whether this create made it is not known/);
    expect(lock.id).toBe("");
  });

  test("is broken by force where the service shows that it is", async () => {
    const { world, lock } = scene();
    await lock.create(forced);
    await lock.delete();
    expect(actions(world)).toEqual(["force-unlock"]);
  });
});
