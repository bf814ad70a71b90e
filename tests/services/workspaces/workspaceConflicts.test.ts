import type { HttpRequest } from "../../../provider/core/http/request";
import type { Values } from "../../../provider/core/language/object";
import type { ConflictError } from "../../../provider/core/state/errors";
import { formatJson, isObject, type Json } from "../../../provider/core/value/json";
import registryProvider from "../../../provider/services/workspaces/registryProvider";
import workspace from "../../../provider/services/workspaces/workspace";
import workspaceLock from "../../../provider/services/workspaces/workspaceLock";
import { Resource } from "../../steps/resource";
import type { Fate, World } from "../../steps/world";
import { changedPaths, expectNoChanges } from "../expectations";
import { actAfter, actBefore, actBeforeEach, letPass, refusal, setFate } from "../interference";
import { ask, assign, attributesOf, edit, lastPatch, made, scene, vcs } from "./workspace-scene";

const CONFLICT = /changed (outside this stack|by someone else)/;
const INVALID = refusal(422, JSON.stringify({ errors: [{ status: "422", title: "no such tag" }] }));
const UNAVAILABLE = refusal(503, "<html>503</html>");
const tags = (...names: string[]) => names.map((name) => ({ type: "tags", attributes: { name } }));

describe("an edit by another user", () => {
  test.each([/tags/, /workspaces\/ws-/])(
    "just before a write to %s shows drift after a refresh",
    async (part) => {
      const { world, resource } = await made({ name: "app", description: "ours" });
      const program = { name: "app", description: "ours", autoApply: true, tagNames: ["x"] };
      world.fate = async ({ path, nature }): Promise<Fate> => {
        if (nature === "write" && part.test(path)) await edit(world, resource.id, { description: "theirs" });
        return "passes";
      };
      await resource.up(program);
      letPass(world);
      await resource.refresh();
      expect(resource.preview(program).changes).toMatchObject([{ path: ["description"], cause: "drift" }]);
      await resource.up(program);
      expect(resource.preview(program).changes).toEqual([]);
    },
  );

  test("to a property that the program removes, and that has no default, is no conflict", async () => {
    const { world, resource } = await made({ name: "app", engineVersion: "1.5.0", description: "a" });
    await edit(world, resource.id, { "engine-version": "1.6.0" });
    const program = { name: "app", description: "b" };
    await resource.up(program);
    expect(lastPatch(world)).toEqual({ description: "b" });
    await resource.refresh();
    expect(resource.preview(program).changes).toEqual([]);
  });

  describe("to the SSH key", () => {
    const before = { name: "app", description: "one", sshKeyId: "sshkey-deploy" };
    const table = /sshKeyId +"sshkey-deploy" +\(none\) +"sshkey-modules"/;

    test("is a conflict if the program removes the key", async () => {
      const { world, resource } = await made(before);
      const act = () => assign(world, resource.id, "sshkey-modules");
      actBeforeEach(world, /^PATCH .*ws-[^/]+$/, act);
      await expect(resource.up({ name: "app", description: "two" })).rejects.toThrow(/sshKeyId/);
    });

    test("is a conflict even if only the read after a gateway's response shows it", async () => {
      const { world, resource } = await made(before);
      setFate(world, /^PATCH/, { answer: { status: 502, text: "<html>502</html>" }, isCarriedOut: true });
      actAfter(world, /^PATCH/, () => assign(world, resource.id, "sshkey-modules"));
      await expect(resource.up({ name: "app", description: "two" })).rejects.toThrow(table);
      expect(resource.record.observed).toMatchObject({ description: "two", sshKeyId: "sshkey-modules" });
    });

    test("is a conflict if it happens during a retry of the request for the key", async () => {
      const { world, resource } = await made({ name: "app", sshKeyId: "sshkey-deploy" });
      let waited = 0;
      world.fate = async ({ path, method }): Promise<Fate> => {
        if (!path.endsWith("ssh-key") || method === "GET") return "passes";
        if (++waited === 2) await assign(world, resource.id, "sshkey-modules");
        return "waits";
      };
      await expect(resource.up({ name: "app" })).rejects.toThrow(table);
    });
  });

  describe("while a request for the tags fails", () => {
    const before = { name: "app", description: "ours", tagNames: ["x"], tagBindings: { env: "a" } };
    const wanted = { ...before, tagNames: ["x", "y"] };

    /** An update whose request for its tags fails after another user's edit. */
    async function partial(fate: Fate, program: Values) {
      const { world, resource } = await made(before);
      const act = () => edit(world, resource.id, { description: "theirs" });
      actBefore(world, /^POST .*relationships\/tags$/, act, fate);
      await expect(resource.up(program)).rejects.toThrow();
      return { world, resource };
    }

    test.each<[string, string, Fate, Values]>([
      ["is rejected", "only the tags", INVALID, {}],
      ["is rejected", "the tags and autoApply", INVALID, { autoApply: true }],
      ["hangs", "only the tags", "request hangs", {}],
      ["hangs", "the tags and autoApply", "request hangs", { autoApply: true }],
    ])("(it %s) is a conflict of the next up that writes %s", async (_, __, fate, more) => {
      const { resource } = await partial(fate, { ...wanted, ...more });
      await expect(resource.up({ ...wanted, ...more })).rejects.toThrow(CONFLICT);
    });

    test("is a conflict of the next up that changes the edited property", async () => {
      const { world, resource } = await partial(INVALID, wanted);
      await expect(resource.up({ ...wanted, description: "ours, second" })).rejects.toThrow(CONFLICT);
      expect(await attributesOf(world, resource.id)).toMatchObject({ description: "theirs" });
    });
  });

  test("while the SSH key of a create is rejected is a conflict of the next up", async () => {
    const { world, resource } = scene();
    const wanted = { name: "app", description: "ours", sshKeyId: "sshkey-deploy" };
    const act = async () => {
      const id = world.requests.at(-1)?.path.split("/").at(-3) ?? "";
      await edit(world, id, { description: "theirs" });
    };
    actBefore(world, /^PATCH .*relationships\/ssh-key$/, act, INVALID);
    await expect(resource.create(wanted)).rejects.toThrow("no such tag");
    await expect(resource.up(wanted)).rejects.toThrow(CONFLICT);
  });
});

describe("a request that is retried after", () => {
  const reasons: [string, Fate][] = [
    ["a rate limit", "waits"],
    ["a gateway's HTTP 503", UNAVAILABLE],
    ["a lost request", "request lost"],
  ];
  const unbind = (world: World, id: string) =>
    ask(world, "PATCH", id, {
      type: "workspaces",
      relationships: {
        "tag-bindings": { data: [{ type: "tag-bindings", attributes: { key: "owner", value: "w" } }] },
      },
    });
  const unassign = (world: World, id: string) => assign(world, id, null);
  const bindings = (env: string) => ({ name: "app", tagBindings: { env, owner: "w" } });
  const key = (sshKeyId: string) => ({ name: "app", sshKeyId });

  test.each(
    reasons.flatMap(([reason, fate]) => [
      [reason, "a tag", fate, /tag-bindings$/, unbind, bindings("a"), bindings("b")] as const,
      [
        reason,
        "the SSH key",
        fate,
        /ssh-key$/,
        unassign,
        key("sshkey-deploy"),
        key("sshkey-modules"),
      ] as const,
    ]),
  )("%s is a conflict if another user has removed %s", async (_, __, fate, end, remove, first, second) => {
    const { world, resource } = await made(first);
    const isWrite = new RegExp(`^PATCH .*${end.source}`);
    actBefore(world, isWrite, () => remove(world, resource.id), fate);
    const error = (await resource.up(second).catch((failure: unknown) => failure)) as ConflictError;
    expect(error.message).toMatch(CONFLICT);
    // The rate limit stops the request before it is sent.
    expect(error.facts.outcome).toBe(fate === "waits" ? "notApplied" : "unknown");
  });
});

test("a tag that was rejected and that another user adds later is kept by the next up", async () => {
  const { world, resource } = await made({ name: "app", tagNames: ["x"] });
  const forbidden = refusal(403, JSON.stringify({ errors: [{ status: "403", title: "forbidden" }] }));
  setFate(world, /^POST .*relationships\/tags$/, forbidden);
  await expect(resource.up({ name: "app", tagNames: ["x", "theirs"] })).rejects.toThrow("403");
  letPass(world);
  await ask(world, "POST", `${resource.id}/relationships/tags`, tags("theirs"));
  await resource.refresh();
  await resource.up({ name: "app", tagNames: ["x"] });
  expect((await attributesOf(world, resource.id))["tag-names"]).toEqual(["x", "theirs"]);
});

describe("an update in two requests", () => {
  const before = {
    name: "app",
    description: "ours",
    vcsRepo: vcs,
    triggerPatterns: ["/a/*"],
    tagNames: ["x"],
  };
  const { triggerPatterns: _, ...rest } = before;
  const after = { ...rest, vcsRepo: { ...vcs, tagsRegex: "^v" } };

  test.each<[string, RegExp, Values]>([
    ["before the first request", /^PATCH/, after],
    ["before the tags are written", /^POST .*relationships\/tags$/, { ...after, tagNames: ["x", "y"] }],
  ])("does not overwrite another user's edit %s", async (_, moment, wanted) => {
    const { world, resource } = await made(before);
    actBefore(world, moment, () => edit(world, resource.id, { description: "theirs" }));
    await expect(resource.up(wanted)).rejects.toThrow(CONFLICT);
    expect(await attributesOf(world, resource.id)).toMatchObject({ description: "theirs" });
  });

  test("overwrites another user's edit and logs it with onConflict: overwrite", async () => {
    const { world, resource } = await made(before);
    actBefore(world, /^PATCH/, () => edit(world, resource.id, { description: "theirs" }));
    await resource.up({ ...after, onConflict: "overwrite" });
    expect(await attributesOf(world, resource.id)).toMatchObject({ description: "ours" });
    expect(world.logged.join("\n")).toMatch(/warning: .*overw[\s\S]*description/);
  });
});

test.each([
  ["a workspace", workspace, { name: "app", description: "theirs" }, { name: "app" }],
  ["a registry provider", registryProvider, ...both({ registryName: "private", name: "tool" })],
] as const)(
  "a create whose request is lost does not adopt %s that existed before",
  async (_, definition, theirs, ours) => {
    const { world } = scene();
    await new Resource(world.another(), definition).create(theirs);
    world.now += 3_600_000;
    setFate(world, /^POST/, "request lost");
    const resource = new Resource(world, definition);
    await expect(resource.create(ours)).rejects.toThrow(
      /exists\. It is unknown whether this create made the object/,
    );
    expect(resource.id).toBe("");
  },
);

function both<T>(program: T): [T, T] {
  return [program, program];
}

type Attributes = { [name: string]: Json };

const membersOf = (value: Json | undefined): Attributes => (isObject(value) ? value : {});

/** Makes the server store different attributes than it receives. */
function storeInstead(world: World, of: (sent: Attributes) => Attributes): void {
  world.fate = async (request: HttpRequest) => {
    const isWrite = request.method === "PATCH" || request.method === "POST";
    if (!isWrite || !isObject(request.body) || !isObject(request.body.data)) return "passes";
    const { data } = request.body;
    const attributes = of(membersOf(data.attributes));
    const answer = await world.carryOut({ ...request, body: { data: { ...data, attributes } } });
    return refusal(answer.status, formatJson(answer.json ?? null));
  };
}

const without =
  (name: string) =>
  ({ [name]: _, ...others }: Attributes) =>
    others;
const addsPeriod = ({ description, ...others }: Attributes) => ({
  ...others,
  description: `${description}.`,
});

describe("a server that stores a different value", () => {
  const program = { name: "app", description: "one", queueAllRuns: false };

  test.each<[string, Values, string, Values, RegExp, string, Values]>([
    [
      "the old value of a changed property",
      program,
      "queue-all-runs",
      { ...program, description: "two", queueAllRuns: true },
      /ignored these values:\n {2}field +the program +the server\n {2}queueAllRuns +true +false/,
      "queueAllRuns",
      { "queue-all-runs": true },
    ],
    [
      "the old value of a removed property",
      { name: "app", description: "one", autoApply: true },
      "auto-apply",
      { name: "app", description: "two" },
      /autoApply +false +true/,
      "autoApply",
      { "auto-apply": false },
    ],
  ])(
    "makes an update partial if it keeps %s, and the next up completes the update",
    async (_, before, lost, wanted, table, path, sent) => {
      const { world, resource } = await made(before);
      storeInstead(world, without(lost));
      await expect(resource.up(wanted)).rejects.toThrow(table);
      expect(resource.preview(wanted).changes).toMatchObject([{ path: [path] }]);
      letPass(world);
      await resource.up(wanted);
      expect(lastPatch(world)).toEqual(sent);
      expect(resource.preview(wanted).changes).toEqual([]);
    },
  );

  test("makes an update partial if it does not reset the execution mode, and the next up resets it", async () => {
    const { world, resource } = await made({ name: "app", executionMode: "local" });
    storeInstead(world, without("setting-overwrites"));
    await expect(resource.up({ name: "app" })).rejects.toThrow(/executionMode +\(none\) +"local"/);
    expect(resource.preview({ name: "app" }).changes).toMatchObject([{ path: ["executionMode"] }]);
    letPass(world);
    await resource.up({ name: "app" });
    expect(lastPatch(world)).toEqual({ "setting-overwrites": { "execution-mode": false } });
    await resource.refresh();
    expect(resource.preview({ name: "app" }).changes).toEqual([]);
  });

  describe("that stores no flags of setting-overwrites", () => {
    const local = { name: "app", executionMode: "local" };
    const dropped = { name: "app" };
    const otf = async () => {
      const started = scene({ switches: { storesOverwrites: false } });
      await started.resource.create(local);
      return started;
    };
    const reads = (world: World) => world.requests.filter(({ path }) => path.endsWith("/organizations/acme"));

    test("makes an update partial if it keeps the execution mode, until the program sets one", async () => {
      const { world, resource } = await otf();
      for (let ups = 0; ups < 2; ups++) {
        await expect(resource.update(dropped)).rejects.toThrow(/executionMode +\(none\) +"local"/);
        expect(changedPaths(resource, dropped)).toEqual(["executionMode"]);
      }
      expect(reads(world)).toHaveLength(2);
      await resource.up({ ...dropped, executionMode: "remote" });
      await expectNoChanges(resource, { ...dropped, executionMode: "remote" });
    });

    test("does not count a lost update as applied because it always returns these flags", async () => {
      const { world, resource } = await otf();
      actBefore(world, /^PATCH/, () => undefined, "request lost");
      await expect(resource.up(dropped)).rejects.toThrow(/executionMode +\(none\) +"local"/);
    });

    test("is reported by no error if the organization's execution mode is the same", async () => {
      const { world, resource } = await otf();
      await resource.up({ ...dropped, executionMode: "remote" });
      await resource.up(dropped);
      expect(reads(world)).toHaveLength(1);
      await expectNoChanges(resource, dropped);
    });
  });

  test("shows no changes if it keeps the old value and the program restores that value", async () => {
    const { world, resource } = await made(program);
    storeInstead(world, without("queue-all-runs"));
    await expect(resource.up({ ...program, queueAllRuns: true })).rejects.toThrow();
    expect(resource.preview(program).changes).toEqual([]);
    await resource.up(program);
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("makes an update log a third value once", async () => {
    const { world, resource } = await made(program);
    storeInstead(world, addsPeriod);
    const wanted = { ...program, description: "two" };
    await resource.up(wanted);
    expect(world.logged.join("\n")).toMatch(
      /warning: .*server changed the written value.*\n.*\n {2}description +"two" +"two\."/,
    );
    world.logged.length = 0;
    await expectNoChanges(resource, wanted);
    expect(await resource.up(wanted)).toBe(false);
    expect(world.logged).toEqual([]);
  });

  test("makes a create log a third value", async () => {
    const { world, resource } = scene();
    storeInstead(world, addsPeriod);
    await resource.create(program);
    expect(world.logged.join("\n")).toMatch(/warning: (?:.|\n)*description +"one" +"one\."/);
    expect(resource.preview(program).changes).toEqual([]);
  });

  test.each<[string, Values, (sent: Attributes) => Attributes, RegExp, Attributes]>([
    [
      "the default",
      { queueAllRuns: true },
      without("queue-all-runs"),
      /queueAllRuns +true +false/,
      { "queue-all-runs": true },
    ],
    [
      "no value",
      { description: "one" },
      without("description"),
      /description +"one" +\(none\)/,
      { description: "one" },
    ],
    [
      "the default of a member",
      { vcsRepo: { ...vcs, ingressSubmodules: true } },
      ({ "vcs-repo": repository, ...others }) => ({
        ...others,
        "vcs-repo": without("ingress-submodules")(membersOf(repository)),
      }),
      /vcsRepo\.ingressSubmodules +true +false/,
      { "vcs-repo": expect.objectContaining({ "ingress-submodules": true }) },
    ],
  ])(
    "makes a create partial if it stores %s, and the next up completes the create",
    async (_, more, stored, table, sent) => {
      const { world, resource } = scene();
      const wanted = { name: "app", ...more };
      storeInstead(world, stored);
      await expect(resource.create(wanted)).rejects.toThrow(table);
      const [property = ""] = Object.keys(more);
      expect(resource.preview(wanted).changes.map(({ path: [name] }) => name)).toContain(property);
      letPass(world);
      await resource.up(wanted);
      expect(lastPatch(world)).toEqual(sent);
      expect(resource.preview(wanted).changes).toEqual([]);
    },
  );

  test("makes a create log an immutable property that the server does not show", async () => {
    const { world, resource: app } = await made({ name: "app" });
    const resource = new Resource(world, workspaceLock);
    world.fate = async (request: HttpRequest) => {
      if (!request.path.endsWith("/actions/lock")) return "passes";
      const { status, json } = await world.carryOut(request);
      const { attributes, ...data } = membersOf(membersOf(json).data);
      const shown = without("locked-reason")(membersOf(attributes));
      return refusal(status, formatJson({ data: { ...data, attributes: shown } }));
    };
    const program = { workspaceId: app.id, reason: "upgrade" };
    await resource.create(program);
    expect(world.logged.join("\n")).toMatch(/warning: (?:.|\n)*reason +"upgrade" +\(none\)/);
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("makes an update log a new value of a property that was not sent, without a conflict", async () => {
    const { world, resource } = await made(program);
    storeInstead(world, (sent) => ({ ...sent, "file-triggers-enabled": false }));
    await resource.up({ ...program, description: "two" });
    expect(world.logged.join("\n")).toMatch(
      /also changed with this write, by the server or by someone else at the same time:\n.*\n {2}fileTriggersEnabled +true +false/,
    );
    world.logged.length = 0;
    expect(resource.preview({ ...program, description: "two" }).changes).toEqual([]);
    await resource.up({ ...program, description: "three" });
    expect(world.logged).toEqual([]);
  });
});

test("an update that the server stores as sent logs nothing", async () => {
  const { world, resource } = await made({ name: "app", description: "one", tagNames: ["a"] });
  await resource.up({ name: "app", description: "one", tagNames: ["a", "b"], vcsRepo: vcs });
  expect(world.logged).toEqual([]);
});
