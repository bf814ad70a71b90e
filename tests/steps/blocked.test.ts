// Writes that the server rejects because another resource of the same command is not finished.
import { CommandWrites } from "../../provider/core/language/commandWrites";
import type { Values } from "../../provider/core/language/object";
import type { AnyDefinition } from "../../provider/core/language/resource";
import serviceDefaults from "../../provider/services/mesh/kinds/serviceDefaults";
import serviceRouter from "../../provider/services/mesh/kinds/serviceRouter";
import directoryStaticRole from "../../provider/services/secrets/directoryStaticRole";
import librarySet from "../../provider/services/secrets/librarySet";
import loginEnforcement from "../../provider/services/secrets/loginEnforcement";
import mfaMethod from "../../provider/services/secrets/mfaMethod";
import workspace from "../../provider/services/workspaces/workspace";
import { MeshService } from "../../testing/stub/services/mesh/service";
import { SecretsService } from "../../testing/stub/services/secrets/service";
import { WorkspacesService } from "../../testing/stub/services/workspaces/service";
import { TOKENS } from "../../testing/tests/stub/mesh-scene";
import { SEED } from "../services/workspaces/workspace-scene";
import { Resource } from "./resource";
import { World } from "./world";

/** Starts a server, and returns a function that creates resources on it. */
type Start = () => (definition: AnyDefinition) => Resource;

const switches = { dialect: "neutral" } as const;

const mesh: Start = () => {
  const stub = new MeshService({ seed: { tokens: { [TOKENS.manager]: { management: true } } }, switches });
  return (definition) => new Resource(new World(stub, definition, { token: TOKENS.manager }), definition);
};
const workspaces = (nameTakenStatus: 422 | 409 = 422): ReturnType<Start> => {
  const stub = new WorkspacesService({
    seed: SEED,
    switches: { ...switches, nameTakenStatus },
  });
  const settings = { token: "owner", organization: "acme" };
  return (definition) => new Resource(new World(stub, definition, settings), definition);
};
const secrets: Start = () => {
  const stub = new SecretsService({ seed: { tokens: { root: {} } }, switches });
  return (definition) => new Resource(new World(stub, definition, { token: "root" }), definition);
};

/** A write that is blocked, and the write of another resource that lifts the rejection. */
interface Scene {
  readonly world: World;
  blocked(): Promise<unknown>;
  other(): Promise<unknown>;
}

const http = { name: "web", spec: { protocol: "http" } };
const router = { name: "web", spec: { routes: [] } };

async function created(resource: Resource, program: Values): Promise<Resource> {
  await resource.create(program);
  return resource;
}

/** The blocked write, its scene, the server's message, and the order in the error. */
type SceneRow = readonly [string, () => Promise<Scene>, RegExp, RegExp];

const scenes: readonly SceneRow[] = [
  [
    "create of a service router whose service defaults are not written yet",
    async () => {
      const on = mesh();
      const own = on(serviceRouter);
      return {
        world: own.world,
        blocked: () => own.create(router),
        other: () => on(serviceDefaults).create(http),
      };
    },
    /protocol/,
    /dependsOn/,
  ],
  [
    "delete of service defaults whose router is not deleted yet",
    async () => {
      const on = mesh();
      const own = await created(on(serviceDefaults), http);
      const other = await created(on(serviceRouter), router);
      return { world: own.world, blocked: () => own.delete(), other: () => other.delete() };
    },
    /protocol/,
    /for a delete, the reverse/,
  ],
  [
    "create of a workspace whose name another workspace gives up",
    async () => {
      const on = workspaces();
      const other = await created(on(workspace), { name: "app" });
      const own = on(workspace);
      return {
        world: own.world,
        blocked: () => own.create({ name: "app" }),
        other: () => other.up({ name: "old" }),
      };
    },
    /already exists/,
    /dependsOn.*deletes run last.*use a temporary third name/,
  ],
  ...(
    [
      ["", 422, /already been taken/],
      [" on OTF", 409, /resource already exists/],
    ] as const
  ).map(
    ([onOtf, status, answer]): SceneRow => [
      `rename of a workspace to a name that another workspace gives up${onOtf}`,
      async () => {
        const on = workspaces(status);
        const other = await created(on(workspace), { name: "app" });
        const own = await created(on(workspace), { name: "new" });
        return {
          world: own.world,
          blocked: () => own.up({ name: "app" }),
          other: () => other.up({ name: "old" }),
        };
      },
      answer,
      /dependsOn.*deletes run last.*use a temporary third name/,
    ],
  ),
  [
    "create of a library set with an account that another set gives up",
    async () => {
      const on = secrets();
      const other = await created(on(librarySet), { name: "a", serviceAccountNames: ["one", "two"] });
      const own = on(librarySet);
      return {
        world: own.world,
        blocked: () => own.create({ name: "b", serviceAccountNames: ["one"] }),
        other: () => other.up({ name: "a", serviceAccountNames: ["two"] }),
      };
    },
    /already managed/,
    /dependsOn.*deletes run last/,
  ],
  [
    "delete of an MFA method whose login enforcement is not deleted yet",
    async () => {
      const on = secrets();
      const own = await created(on(mfaMethod), { methodName: "m", orgName: "acme", apiToken: "t" });
      const other = await created(on(loginEnforcement), {
        name: "all",
        mfaMethodIds: [String(own.outputs.methodId)],
        authMethodTypes: ["userpass"],
      });
      return { world: own.world, blocked: () => own.delete(), other: () => other.delete() };
    },
    /still used.*login enforcement "all"/,
    /use the method's methodId output/,
  ],
];

/** Gives the scene's command its writes, and a clock that only a wait advances. */
async function start(scene: () => Promise<Scene>): Promise<Scene & { readonly writes: CommandWrites }> {
  const started = await scene();
  const { world } = started;
  const writes = new CommandWrites(() => world.now);
  world.writes = writes;
  world.requests.length = 0;
  world.onSleep = (milliseconds) => {
    world.now += milliseconds;
  };
  return { ...started, writes };
}

const messageOf = (run: Promise<unknown>) => run.then(() => "it succeeded", String);

describe.each(scenes)("the %s", (_, scene, answer, order) => {
  test("succeeds once the other write, which runs at the same time, is done", async () => {
    const { world, blocked, other, writes } = await start(scene);
    let finish = () => {};
    const running = writes.run(() => new Promise<void>((resolve) => (finish = resolve)));
    let waits = 0;
    world.onSleep = async (milliseconds) => {
      world.now += milliseconds;
      waits += 1;
      if (waits !== 20) return;
      await other();
      finish();
    };
    await blocked();
    await running;
    expect(waits).toBe(20);
    expect(world.logged.join("\n")).toMatch(
      /progress: waits for the other writes of this command, then tries again\. The server rejected this write: /,
    );
  });

  test("fails at once without another write, with the order that avoids it", async () => {
    const { world, blocked } = await start(scene);
    const began = world.now;
    const message = await messageOf(blocked());
    expect(message).toMatch(answer);
    expect(message).toMatch(order);
    expect(world.now).toBe(began);
  });

  test("fails at most 15 seconds after the end of another write that does not help", async () => {
    const { world, blocked, writes } = await start(scene);
    await writes.run(async () => undefined);
    const began = world.now;
    expect(await messageOf(blocked())).toMatch(order);
    expect(world.now - began).toBeGreaterThan(5_000);
    expect(world.now - began).toBeLessThan(15_000);
  });

  test("does not wait for another blocked write", async () => {
    const { world, blocked, writes } = await start(scene);
    const began = world.now;
    const others = Promise.allSettled(
      [1, 2].map(() =>
        writes.run(async (own) => {
          while (own.waitMs() !== undefined) await world.onSleep(1000);
          throw new Error("blocked");
        }),
      ),
    );
    expect(await messageOf(blocked())).toMatch(order);
    await others;
    expect(world.now - began).toBeLessThan(15_000);
  });

  test("ends at the operation's deadline", async () => {
    const { world, blocked, writes } = await start(scene);
    const began = world.now;
    void writes.run(() => new Promise<void>(() => undefined));
    expect(await messageOf(blocked())).toMatch(order);
    expect(world.now - began).toBeLessThanOrEqual(600_000);
    expect(world.now - began).toBeGreaterThan(590_000);
  });
});

test("a static role of an account that a library set gives up has the same remedy", () => {
  expect(directoryStaticRole.life.blocked).toBe(librarySet.life.blocked);
});
