import workspaceForceUnlock from "../../../provider/services/workspaces/workspaceForceUnlock";
import workspaceLock from "../../../provider/services/workspaces/workspaceLock";
import { hold } from "../../steps/late";
import { Resource } from "../../steps/resource";
import { WORKSPACE_ID, workspaceWorld } from "../../steps/subjects/ofWorkspace";
import { expectNoChanges, inWorld, notesOfCreate, replacedBy } from "../expectations";
import { actBefore, actBeforeEach, letPass, refusal, setFate } from "../interference";
import { as, attributesOf } from "./workspace-scene";

const workspaceId = WORKSPACE_ID;
const program = { workspaceId, reason: "upgrade" };
const forced = { ...program, forceUnlock: true };
const app = (more: object) => ({
  workspaces: [{ organization: "acme", name: "app", id: workspaceId, ...more }],
});
const OTTOS = { lockedBy: { user: "otto" }, lockedReason: "mine" };
const LOCKED_BY_OTHER = { locked: true, "locked-reason": "theirs" };

/** A lock that is not created yet, a workspace with this seed, and actions of other users. */
function scene(more: object = {}) {
  const world = workspaceWorld(workspaceLock, app(more));
  const act = (action: string, token = "owner", body?: { reason: string }) =>
    world.send("POST", `/api/v2/workspaces/${workspaceId}/actions/${action}`, body, as(token));
  return {
    world,
    lock: new Resource(world, workspaceLock),
    forceUnlock: new Resource(world, workspaceForceUnlock),
    unlockByForce: () => act("force-unlock"),
    lockByOther: (reason = "theirs") => act("lock", "other", { reason }),
    /** Another user force-unlocks the workspace and locks it. */
    async takeOver() {
      await act("force-unlock");
      await act("lock", "other", { reason: "theirs" });
    },
    expectLock: async (expected: object) =>
      expect(await attributesOf(world, workspaceId)).toMatchObject(expected),
    /** The actions that unlock, in order. */
    unlocks: () => world.requests.flatMap(({ path }) => /actions\/(.*unlock)$/.exec(path)?.[1] ?? []),
  };
}

/** Creates a lock on a workspace with this seed. */
async function createLock(own: typeof program & { forceUnlock?: boolean } = program, more: object = {}) {
  const all = scene(more);
  await all.lock.create(own);
  return all;
}

describe("workspace lock, states and transitions of the specification", () => {
  test("unlocked, POST lock: locked, with the reason", async () => {
    const { lock, expectLock } = await createLock();
    await expectLock({ locked: true, "locked-reason": "upgrade" });
    expect(lock.id).toBe(workspaceId);
    expect(lock.outputs.lockedBy).toMatch(/\S/);
  });

  test.each([false, true])(
    "locked, POST lock: an error names the holder and the reason (empty 409: %s)",
    async (empty) => {
      const { world, lock, expectLock } = scene(OTTOS);
      world.stub.configure({ lockConflictIsEmpty: empty });
      await expect(lock.create(program)).rejects.toThrow(
        /already exists[\s\S]*the workspace is locked by \S*otto\S* \(mine\)/,
      );
      await expectLock({ locked: true, "locked-reason": "mine" });
      expect(lock.id).toBe("");
    },
  );

  test("locked by this stack, POST unlock: unlocked", async () => {
    const { lock, expectLock } = await createLock();
    await lock.delete();
    await expectLock({ locked: false });
  });

  const unfinished = { intermediateStateVersions: [{ id: "sv-1", finalizedAt: null }] };

  test("locked, the latest state version not finalized: HTTP 503 is retried until the unlock succeeds", async () => {
    const { world, lock, expectLock } = await createLock(program, unfinished);
    let asked = 0;
    world.fate = ({ path }) => {
      if (path.endsWith("/actions/unlock") && ++asked === 3)
        world.stub.seed(app({ intermediateStateVersions: [{ id: "sv-1", finalizedAt: 0 }] }));
      return "passes";
    };
    await lock.delete();
    expect(asked).toBe(3);
    expect(world.logged.join("\n")).toContain("waiting for the latest state version to be finalized");
    await expectLock({ locked: false });
  });

  test("locked, the latest state version never finalized: the delete fails, and forceUnlock unlocks", async () => {
    const { lock, expectLock } = await createLock(program, unfinished);
    await expect(lock.delete()).rejects.toThrow(/returned 503.*pending/s);
    await expectLock({ locked: true });
    await lock.up(forced);
    await lock.delete();
    await expectLock({ locked: false });
  });

  test.each(["objects", "strings"])(
    "unlocked, POST unlock: a delete succeeds (errors as %s)",
    async (errorForm) => {
      const { world, lock, unlockByForce } = await createLock();
      world.stub.configure({ errorForm });
      actBeforeEach(world, /\/actions\/unlock$/, unlockByForce);
      await lock.delete();
    },
  );

  test("locked by another user, POST unlock: the lock stays, and a refresh removes the resource", async () => {
    const { lock, takeOver, expectLock } = await createLock();
    await takeOver();
    expect(await lock.refresh()).toBe(false);
    await lock.delete();
    await expectLock(LOCKED_BY_OTHER);
  });

  test("locked by another user after the read: HTTP 409 names the holder, and the lock stays", async () => {
    const { world, lock, takeOver, expectLock } = await createLock();
    actBeforeEach(world, /\/actions\/unlock$/, takeOver);
    await expect(lock.delete()).rejects.toThrow(/returned 409.*otto/s);
    await expectLock(LOCKED_BY_OTHER);
  });

  test("locked by another user, POST force-unlock with admin access: unlocked", async () => {
    const { forceUnlock, expectLock } = scene({ lockedBy: { user: "otto" } });
    await forceUnlock.create({ workspaceId });
    expect(forceUnlock.id).toBe(workspaceId);
    await expectLock({ locked: false });
  });

  test("locked, POST force-unlock without admin access: HTTP 404, and it stays locked", async () => {
    const { world, expectLock } = scene({ lockedBy: { user: "otto" } });
    const runner = new Resource(world.with({ token: "runner" }), workspaceForceUnlock);
    await expect(runner.create({ workspaceId })).rejects.toThrow("returned 404");
    await expectLock({ locked: true });
  });

  test("unlocked, POST force-unlock: HTTP 409 counts as done", async () => {
    const { forceUnlock } = scene();
    await forceUnlock.create({ workspaceId });
    expect(forceUnlock.outputs.outcome).toBe("done");
  });
});

describe("forced unlock of a workspace", () => {
  test("fails if the workspace does not exist", async () => {
    await expect(scene().forceUnlock.create({ workspaceId: "ws-none" })).rejects.toThrow(
      /returned 404.*This API also returns 404/,
    );
  });

  test("the preview has a note that the holder loses the lock", () => {
    const note = expect.stringContaining("the current holder loses the lock");
    expect(notesOfCreate(workspaceForceUnlock, {})).toEqual([note]);
  });
});

describe("workspace lock", () => {
  test("is replaced if its reason changes, and the old lock is deleted first", async () => {
    const { lock } = await createLock();
    const other = { ...program, reason: "another" };
    expect(lock.preview(other).changes).toHaveLength(1);
    expect(replacedBy(lock, other)).toEqual(["reason"]);
    expect(lock.preview(other).deleteFirst).toBe(true);
  });

  test("a create does not adopt another user's lock with a different reason", async () => {
    const { lock, expectLock } = scene(OTTOS);
    await expect(lock.create({ ...program, adopt: true })).rejects.toThrow(/already exists.*locked by/s);
    await expect(lock.create(program)).rejects.not.toThrow(/adopt/);
    await expectLock({ "locked-reason": "mine" });
  });

  test("a create whose request is lost does not adopt another user's lock", async () => {
    const { world, lock, expectLock } = scene({ lockedBy: { user: "otto" }, lockedReason: "" });
    setFate(world, /^POST/, "request lost");
    await expect(lock.create({ workspaceId, forceUnlock: true })).rejects.toThrow(/already exists/);
    expect(lock.id).toBe("");
    await expectLock({ locked: true });
  });

  test.each([
    [502, "bad gateway"],
    [409, ""],
  ])(
    "a delete succeeds if the unlock returns HTTP %d with the body %j but a read shows it unlocked",
    async (status, text) => {
      const { world, lock, expectLock } = await createLock();
      world.onResponse = ({ path }, answer) => {
        if (path.endsWith("/unlock")) Object.assign(answer, { status, text, json: undefined });
      };
      await lock.delete();
      await expectLock({ locked: false });
    },
  );

  test("a refresh removes it from the state if its workspace was deleted", async () => {
    const { world, lock } = await createLock();
    await world.send("DELETE", `/api/v2/workspaces/${workspaceId}`, undefined, as("owner"));
    expect(await lock.refresh()).toBe(false);
    await lock.delete();
  });

  test("a refresh fails if the token can no longer read the workspace", async () => {
    const { world, lock } = await createLock();
    await expect(inWorld(lock, world.with({ token: "nobody" })).refresh()).rejects.toThrow("returned 401");
  });

  test.each([
    ["a rate limit", "waits"],
    ["a gateway", refusal(503, "<html>503</html>")],
    [
      "a state version that is not finalized",
      refusal(503, '{"errors":[{"status":"503","title":"pending"}]}'),
    ],
  ] as const)(
    "a forced unlock that waits for %s does not remove a lock that another user takes meanwhile",
    async (_, fate) => {
      const { world, lock, takeOver, expectLock, unlocks } = await createLock(forced);
      actBefore(world, /\/force-unlock$/, takeOver, fate);
      await lock.delete();
      expect(unlocks()).toEqual(["force-unlock"]);
      await expectLock(LOCKED_BY_OTHER);
    },
  );

  test("a lock that the server attributes to the token's user is force-unlocked with forceUnlock: true", async () => {
    const { lock, unlocks } = await createLock(forced);
    await lock.delete();
    expect(unlocks()).toEqual(["force-unlock"]);
  });
});

describe("a lock that may be another user's is not force-unlocked:", () => {
  test("the server does not name the holder, and another user has taken the lock", async () => {
    const { world, lock, takeOver, unlocks, expectLock } = scene();
    world.stub.configure({ showsLockHolder: false });
    await lock.create(forced);
    expect(lock.preview(forced).changes).toEqual([]);
    expect(await lock.refresh()).toBe(true);
    await takeOver();
    await expect(lock.delete()).rejects.toThrow(/returned 409/);
    expect(unlocks()).toEqual(["unlock"]);
    expect(world.logged.join()).toContain("forceUnlock is not used");
    world.stub.configure({ showsLockHolder: true });
    await expectLock(LOCKED_BY_OTHER);
  });

  test("the server does not name the holder, and the lock is this stack's", async () => {
    const { world, lock, unlocks, expectLock } = scene();
    world.stub.configure({ showsLockHolder: false });
    await lock.create(forced);
    await lock.refresh();
    await lock.delete();
    expect(unlocks()).toEqual(["unlock"]);
    await expectLock({ locked: false });
  });

  test.each([true, false])(
    "the response to the create was lost (holder shown: %s)",
    async (showsLockHolder) => {
      const { world, lock, unlocks, expectLock } = scene();
      world.stub.configure({ showsLockHolder });
      setFate(world, /\/lock$/, "response lost");
      await lock.create(forced);
      letPass(world);
      expect(lock.id).toBe(workspaceId);
      await expectNoChanges(lock, forced);
      await lock.delete();
      expect(unlocks()).toEqual(["unlock"]);
      await expectLock({ locked: false });
    },
  );

  test.each([true, false])(
    "the create request was lost while another user locked the workspace (holder shown: %s)",
    async (showsLockHolder) => {
      const { world, lock, lockByOther, unlocks, expectLock } = scene();
      world.stub.configure({ showsLockHolder });
      actBeforeEach(world, /\/lock$/, () => lockByOther(program.reason), "request lost");
      await lock.create(forced);
      letPass(world);
      await lock.refresh();
      await expect(lock.delete()).rejects.toThrow(/returned 409.*otto/s);
      expect(unlocks()).toEqual(["unlock"]);
      await expectLock({ locked: true });
    },
  );

  test.each(["up", "refresh", "destroy"])(
    "the create hung while another user locked the workspace; next step: %s",
    async (step) => {
      const { world, lock, lockByOther, unlocks, expectLock } = scene();
      const timed = { ...forced, timeouts: { create: 1 } };
      hold(world);
      await expect(lock.create(timed)).rejects.toThrow("may still be applied");
      await lockByOther(program.reason);
      if (step === "up") await lock.up(timed);
      if (step === "refresh") expect(await lock.refresh()).toBe(true);
      await expect(lock.delete()).rejects.toThrow(/returned 409.*otto/s);
      expect(unlocks()).toEqual(["unlock"]);
      await expectLock({ locked: true });
    },
  );

  test("the create request was lost and the lock has another reason: the create fails", async () => {
    const { world, lock, lockByOther } = scene();
    actBeforeEach(world, /\/lock$/, () => lockByOther(), "request lost");
    await expect(lock.create(forced)).rejects.toThrow(
      /exists\. It is unknown whether this create made the object/,
    );
    expect(lock.id).toBe("");
  });
});
