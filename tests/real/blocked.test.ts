import { setTimeout as delay } from "node:timers/promises";
import { CommandWrites } from "../../provider/core/language/commandWrites";
import type { AnyDefinition } from "../../provider/core/language/resource";
import librarySet from "../../provider/services/secrets/librarySet";
import loginEnforcement from "../../provider/services/secrets/loginEnforcement";
import mfaMethod from "../../provider/services/secrets/mfaMethod";
import workspace from "../../provider/services/workspaces/workspace";
import type { StubService } from "../../testing/stub/service";
import { SecretsService } from "../../testing/stub/services/secrets/service";
import { WorkspacesService } from "../../testing/stub/services/workspaces/service";
import { Resource } from "../steps/resource";
import { World } from "../steps/world";
import { reset } from "./reset";
import { givenServer } from "./servers/server";
import { directoryConfig } from "./services/secrets";

// Real waits: a blocked write fails 10 seconds after the last write of its command.
jest.setTimeout(60_000);

const server = givenServer();

/** A write that is blocked until another resource of the same command is written, and that other write. */
type Pair = (on: (definition: AnyDefinition) => Resource) => Promise<{
  blocked(): Promise<unknown>;
  other(): Promise<unknown>;
}>;

const ofOpenBao: readonly (readonly [string, Pair])[] = [
  [
    "a library set is created with an account that another set gives up",
    async (on) => {
      const [own, other] = [on(librarySet), on(librarySet)];
      await own.world.send("POST", "/v1/ldap/config", directoryConfig(), { "x-secrets-token": "root" });
      await other.create({ name: "a", serviceAccountNames: ["svc-1", "svc-2"] });
      return {
        blocked: () => own.create({ name: "b", serviceAccountNames: ["svc-1"] }),
        other: () => other.up({ name: "a", serviceAccountNames: ["svc-2"] }),
      };
    },
  ],
  [
    "an MFA method is deleted whose login enforcement is deleted, too",
    async (on) => {
      const [own, other] = [on(mfaMethod), on(loginEnforcement)];
      await own.create({ methodName: "m", orgName: "acme", apiToken: "t" });
      const mfaMethodIds = [String(own.outputs.methodId)];
      await other.create({ name: "all", mfaMethodIds, authMethodTypes: ["userpass"] });
      return { blocked: () => own.delete(), other: () => other.delete() };
    },
  ],
];

const ofOtf: readonly (readonly [string, Pair])[] = [
  [
    "a workspace is created with a name that another workspace gives up",
    async (on) => {
      const [own, other] = [on(workspace), on(workspace)];
      await other.create({ name: "app" });
      return { blocked: () => own.create({ name: "app" }), other: () => other.up({ name: "old" }) };
    },
  ],
  [
    "a workspace is renamed to a name that another workspace gives up",
    async (on) => {
      const [own, other] = [on(workspace), on(workspace)];
      await other.create({ name: "app" });
      await own.create({ name: "new" });
      return { blocked: () => own.up({ name: "app" }), other: () => other.up({ name: "old" }) };
    },
  ],
];

const SUITES = {
  bao: { pairs: ofOpenBao, start: () => new SecretsService(), settings: {} },
  otfd: { pairs: ofOtf, start: () => new WorkspacesService(), settings: { organization: "acme" } },
} as const;

if (server?.program !== "bao" && server?.program !== "otfd") {
  test.skip("blocked writes need a real OpenBao or OTF server", () => undefined);
} else {
  const { token, version } = server;
  const { pairs, start, settings } = SUITES[server.program];

  describe.each(pairs)(`${version}: %s`, (_, pair) => {
    let writes: CommandWrites;
    let worlds: World[];

    beforeEach(async () => {
      await reset();
      writes = new CommandWrites(Date.now);
      worlds = [];
    });

    const on = (definition: AnyDefinition) => {
      const stub: StubService = start();
      const world = new World(stub, definition, { token, ...settings });
      world.writes = writes;
      worlds.push(world);
      return new Resource(world, definition);
    };

    test("the write succeeds once the other write of the same command is done", async () => {
      const { blocked, other } = await pair(on);
      const late = writes.run(async () => {
        await delay(1_500);
        return other();
      });
      await blocked();
      await late;
      expect(worlds.flatMap(({ logged }) => logged).join("\n")).toMatch(
        /progress: waits for the other writes of this command, then tries again\. The server rejected this write: /,
      );
    });

    test("the write fails at once with the order, without another write", async () => {
      const { blocked } = await pair(on);
      // The writes before were a command of their own.
      for (const world of worlds) world.writes = new CommandWrites(Date.now);
      const began = Date.now();
      await expect(blocked()).rejects.toThrow(/dependsOn|use the method's methodId output/);
      expect(Date.now() - began).toBeLessThan(10_000);
    });
  });
}
