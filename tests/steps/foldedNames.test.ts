import type { Values } from "../../provider/core/language/object";
import type { Definition } from "../../provider/core/language/resource";
import job from "../../provider/services/scheduler/job";
import cloudRole from "../../provider/services/secrets/cloudRole";
import directoryRole from "../../provider/services/secrets/directoryRole";
import directoryStaticRole from "../../provider/services/secrets/directoryStaticRole";
import librarySet from "../../provider/services/secrets/librarySet";
import loginEnforcement from "../../provider/services/secrets/loginEnforcement";
import queueRole from "../../provider/services/secrets/queueRole";
import { SchedulerService } from "../../testing/stub/services/scheduler/service";
import { SecretsService } from "../../testing/stub/services/secrets/service";
import { engines } from "../core/bridge/engines";
import { hostOf } from "../core/bridge/host";
import { Resource } from "./resource";
import { World } from "./world";

const LDIF = "dn: cn={{.Username}},dc=example\nobjectClass: person\n";
const DELETION = "dn: cn={{.Username}},dc=example\nchangetype: delete\n";

async function secretsWorld(definition: Definition): Promise<World> {
  const seed = { tokens: { root: {} } };
  const stub = new SecretsService({ seed, switches: { dialect: "real" } });
  const world = new World(stub, definition, {
    token: "root",
    dialect: "real",
  });
  const body = { binddn: "cn=admin", bindpass: "hush" };
  const headers = { "x-vault-token": "root", "content-type": "application/json" };
  await world.send("POST", "/v1/ldap/config", body, headers);
  return world;
}

function schedulerWorld(): World {
  const seed = { tokens: { manager: { management: true } } };
  const stub = new SchedulerService({ seed, switches: { dialect: "real" }, random: () => 0.5 });
  return new World(stub, job, { token: "manager", dialect: "real" });
}

const FOLDED: readonly (readonly [Definition, string, Values])[] = [
  [directoryRole, "roleName", { creationLdif: LDIF, deletionLdif: DELETION }],
  [directoryStaticRole, "roleName", { username: "svc-db", rotationPeriod: 3600 }],
  [librarySet, "name", { serviceAccountNames: ["svc-1"], ttl: 600, maxTtl: 1200 }],
];

describe.each(FOLDED.map((row) => [row[0].token, ...row] as const))(
  "the name of a %s, which the server stores in lower case,",
  (_, definition, property, rest) => {
    const written = (name: string) => ({ ...rest, [property]: name });

    test("addresses the same object in any case: create, preview, refresh, import and delete", async () => {
      const world = await secretsWorld(definition);
      const resource = new Resource(world, definition);
      await resource.create(written("Web.Bob"));
      expect(resource.id).toBe("ldap/web.bob");
      expect(resource.preview(written("Web.Bob")).changes).toEqual([]);
      expect(resource.preview(written("web.bob")).changes).toEqual([]);
      expect(await resource.refresh()).toBe(true);
      expect(resource.preview(written("Web.Bob")).changes).toEqual([]);
      const read = new Resource(world, definition);
      await read.get("ldap/WEB.BOB");
      expect(read.id).toBe("ldap/web.bob");
      expect(read.inputs).toMatchObject({ [property]: "web.bob" });
      await resource.delete();
      expect(await read.refresh()).toBe(false);
    });

    test.each(["dynamic", "plugin"] as const)(
      "is rejected in the preview if two resources differ only in its case (%s bridge)",
      async (bridge) => {
        const world = await secretsWorld(definition);
        const command = hostOf(() => world.connection, world.logged);
        const check = async (name: string, program: Values) =>
          (await new engines[bridge](definition, world, command, name).check(program)).failures;
        expect(await check("one", written("Bob"))).toEqual([]);
        // A replacement is checked twice.
        expect(await check("one", written("Bob"))).toEqual([]);
        expect(await check("two", written("alice"))).toEqual([]);
        expect(await check("three", written("bob"))).toEqual([
          expect.stringMatching(
            /another resource of this program, "Bob": the server treats both names as the same/,
          ),
        ]);
      },
    );

    test("cannot be created twice in different case, and a change of its case replaces nothing", async () => {
      const world = await secretsWorld(definition);
      const first = new Resource(world, definition);
      await first.create(written("bob"));
      await expect(new Resource(world, definition).create(written("Bob"))).rejects.toThrow("already exists");
      expect(first.preview(written("BOB"))).toMatchObject({ changes: [], deleteFirst: expect.any(Boolean) });
      expect(first.preview(written("bobby")).changes).toMatchObject([{ replaces: true }]);
    });
  },
);

const REFUSED: readonly (readonly [Definition, string, readonly string[], readonly string[]])[] = [
  [queueRole, "name", ["a/b", "a b", "a%b", "é", "-a", "a.", "a@b"], ["a", "A.b-c_d", "9"]],
  [cloudRole, "name", ["a/b", "a b", "a%b", "é", "-a", "a."], ["a@b", "A.b-c_d"]],
  [loginEnforcement, "name", ["a/b", "a b", "é", "a@b"], ["A.b-c_d"]],
  [directoryRole, "roleName", ["a b", "é", "a@b", "/a"], ["a/b", "A.b"]],
  [librarySet, "name", ["a b", "a/status", "A/Check-Out", "x/check-in"], ["a/b", "status"]],
];

describe.each(REFUSED.map((row) => [row[0].token, ...row] as const))(
  "%s",
  (_, definition, property, wrong, right) => {
    const reasons = async (name: string) => {
      const world = await secretsWorld(definition);
      const problems = new Resource(world, definition).check({ [property]: name });
      return problems.filter(({ path }) => path === property).map(({ reason }) => reason);
    };

    test.each(wrong)("rejects the name %j in the preview", async (name) => {
      expect(await reasons(name)).toEqual([expect.stringContaining("must")]);
    });

    test.each(right)("accepts the name %j", async (name) => {
      expect(await reasons(name)).toEqual([]);
    });
  },
);

const jobOf = (ID: string) => ({
  purge: true,
  json: {
    ID,
    TaskGroups: [{ Name: "g", Tasks: [{ Name: "t", Driver: "raw_exec", Config: { command: "x" } }] }],
  },
});

test.each([
  "ops/plan",
  "x/services",
  "a/periodic/force",
  "a/dispatch/payload",
  "a/tag",
  "a/b/versions",
  "a b",
])("the job ID %j is rejected in the preview and in a read by ID, without a request", async (id) => {
  const resource = new Resource(schedulerWorld(), job);
  expect(resource.check(jobOf(id))).toEqual([{ path: "json", reason: expect.stringContaining("must") }]);
  await expect(resource.get(`default/${encodeURIComponent(id)}`)).rejects.toThrow("must");
  expect(resource.world.requests).toEqual([]);
});

test.each(["plan", "ops/plans", "ops/plan/x", "Ops", "a.b", "a%2Fplan", "日本"])(
  "a job with the ID %j is created, refreshed and deleted",
  async (id) => {
    const resource = new Resource(schedulerWorld(), job);
    expect(resource.check(jobOf(id))).toEqual([]);
    await resource.create(jobOf(id));
    expect(resource.id).toBe(`default/${encodeURIComponent(id)}`);
    expect(await resource.refresh()).toBe(true);
    expect(resource.preview(jobOf(id)).changes).toEqual([]);
    await resource.delete();
    expect(await resource.refresh()).toBe(false);
  },
);

test("the neutral dialect accepts a name that contains a space", async () => {
  const world = (await secretsWorld(queueRole)).with({ dialect: "neutral" });
  expect(new Resource(world, queueRole).check({ name: "a b", tags: "x" })).toEqual([]);
});
