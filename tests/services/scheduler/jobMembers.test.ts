import fc from "fast-check";
import { SecretMap } from "../../../provider/core/state/secretMap";
import { sourcesIn } from "../../../provider/core/state/sources";
import { isObject, type Json } from "../../../provider/core/value/json";
import job from "../../../provider/services/scheduler/job";
import { jobJson } from "../../../provider/services/scheduler/jobDocument";
import { neutral, real } from "../../../provider/services/scheduler/service";
import { protect } from "../../../sdk/runtime/documents";
import { rounds } from "../../rounds";
import { settled } from "../../sdk/engine";
import { JobScene } from "./job-scene";

/*
 * Nomad's decoder ignores the case of the names of a job's members, and Nomad returns each under its canonical name.
 * Keys of the user's own maps are not names of members.
 */

type Members = { readonly [member: string]: Json };

/** Members whose value is a map with the user's keys. */
const OF_THE_USER = new Set(["Meta", "Env", "Config", "Policy"]);
const BY_KEY = new Set(["Volumes"]);

function respelled(value: Json, spell: (name: string) => string): Json {
  if (Array.isArray(value)) return value.map((element) => respelled(element, spell));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (OF_THE_USER.has(name) && isObject(member)) return [spell(name), member];
      if (!BY_KEY.has(name) || !isObject(member)) return [spell(name), respelled(member, spell)];
      const byKey = Object.entries(member).map(([key, entry]) => [key, respelled(entry, spell)] as const);
      return [spell(name), Object.fromEntries(byKey)];
    }),
  );
}

/** The user's own keys that look like names of members. */
const users = { count: "a", Count: "b", VAULT: "c", taskgroups: "d" };

const AT_TASK: Readonly<Record<"neutral" | "real", Members>> = {
  neutral: {
    Secrets: { Role: "app", Policies: ["a"], Env: false },
    SecretBlocks: [{ Name: "db", Provider: "nomad", Path: "apps/db", Config: users, Env: users }],
    Mesh: { Namespace: "ours" },
    Templates: [{ DestPath: "x", EmbeddedTmpl: "count", SecretsGrace: 5 }],
  },
  real: {
    Vault: { Role: "app", Policies: ["a"], Env: false },
    Secrets: [{ Name: "db", Provider: "nomad", Path: "apps/db", Config: users, Env: users }],
    Consul: { Namespace: "ours" },
    Templates: [{ DestPath: "x", EmbeddedTmpl: "count", VaultGrace: 5 }],
  },
};

const AT_JOB: Readonly<Record<"neutral" | "real", Members>> = {
  neutral: {
    SecretsToken: "t",
    SecretsNamespace: "n",
    MeshToken: "u",
    MeshNamespace: "m",
    SchedTokenID: "i",
  },
  real: { VaultToken: "t", VaultNamespace: "n", ConsulToken: "u", ConsulNamespace: "m", NomadTokenID: "i" },
};

const fullJob = (dialect: "neutral" | "real"): Members => ({
  ID: "web",
  Name: "web",
  Status: "running",
  Datacenters: ["dc1"],
  Meta: users,
  ...AT_JOB[dialect],
  Periodic: { Spec: "@daily", TimeZone: "UTC" },
  UI: { Description: "d", Links: [{ Label: "l", Url: "http://localhost/" }] },
  TaskGroups: [
    {
      Name: "front",
      Count: 3,
      Scaling: { ID: "s", Min: 1, Max: 5, Policy: { count: 1, Cooldown: "1m" } },
      Volumes: { count: { Type: "host", Source: "s" } },
      Networks: [{ Mode: "host", DynamicPorts: [{ Label: "http", To: 80 }] }],
      Services: [{ Name: "web", PortLabel: "http", Checks: [{ Type: "http", TLSSkipVerify: true }] }],
      Tasks: [
        {
          Name: "server",
          Driver: "docker",
          Config: { image: "x", Count: [{ Name: "a", name: "b" }] },
          Env: users,
          Resources: { CPU: 100, MemoryMB: 64 },
          ...AT_TASK[dialect],
        },
      ],
    },
  ],
});

const SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toLowerCase(),
  (name) => name.toUpperCase(),
  (name) => name.charAt(0).toLowerCase() + name.slice(1),
];
const choices = fc.infiniteStream(fc.constantFrom(...SPELLINGS));

/** Jobs with some of the members of this job. */
const subsets = (full: Members) =>
  fc
    .subarray(
      Object.keys(full).filter((name) => name !== "ID"),
      { minLength: 1 },
    )
    .map(
      (names): Members => ({
        ID: "web",
        ...Object.fromEntries(names.map((name) => [name, full[name] ?? null])),
      }),
    );

describe.each([
  ["neutral", neutral],
  ["real", real],
] as const)("job members in any case (%s dialect)", (name, dialect) => {
  const spelling = jobJson(dialect);

  test("have the same model and the same encoding as under their canonical names", () => {
    fc.assert(
      fc.property(
        choices,
        fc.boolean(),
        fc.boolean(),
        subsets(fullJob(name)),
        (choice, isText, wrap, written) => {
          const spell = (each: string) => choice.next().value(each);
          const own = wrap ? respelled({ Job: written }, spell) : respelled(written, spell);
          const canonical = spelling.canonical(isText ? JSON.stringify(own) : own);
          expect(canonical).toEqual(spelling.canonical(written));
          expect(spelling.encode?.(own)).toEqual(spelling.encode?.(written));
        },
      ),
      { numRuns: rounds(300, 60) },
    );
  });

  test("are restored under the names of the dialect", () => {
    const written = fullJob(name);
    const lower = respelled(written, (each) => each.toLowerCase());
    expect(spelling.restore?.(spelling.canonical(lower))).toEqual(written);
    const path = ["TaskGroups", 0, "Tasks", 0, "Secrets", "Role"];
    const block = name === "real" ? "Vault" : "Secrets";
    expect(spelling.restorePath?.(path)).toEqual(["TaskGroups", 0, "Tasks", 0, block, "Role"]);
    expect(spelling.restorePart?.({ Role: "app" }, path.slice(0, -1))).toEqual({ Role: "app" });
  });

  test("show a removed member in a preview and an external change in a refresh", async () => {
    const scene = new JobScene({ dialect: name }, { switches: { dialect: name, acl: false, injects: [] } });
    const { resource } = scene;
    const tasks = [{ name: "server", driver: "docker", env: { Count: "1" } }];
    const json = { id: "web", priority: 60, taskgroups: [{ name: "front", count: 3, tasks }] };
    expect(resource.check({ json })).toEqual([]);
    await resource.create({ json });
    expect(await scene.held()).toMatchObject({ Priority: 60, TaskGroups: [{ Count: 3 }] });
    expect(resource.preview({ json }).changes).toEqual([]);
    expect(await resource.refresh()).toBe(true);
    expect(resource.inputs).toEqual({ json });
    const { priority: _, ...less } = json;
    expect(resource.preview({ json: less }).changes.map(({ path }) => path)).toEqual([["json", "Priority"]]);
    await scene.register({ ...(await scene.held()), Priority: 70 });
    await resource.refresh();
    expect(resource.inputs).toMatchObject({ json: { Priority: 70, TaskGroups: [{ Count: 3 }] } });
    await resource.up({ json: less });
    expect(await scene.held()).toMatchObject({ Priority: 50 });
  });
});

test.each<[string, Json, RegExp]>([
  ["a missing ID", { jobid: "web" }, /ID is missing/],
  ["HCL in JSON syntax", { job: { web: { group: {} } } }, /HCL in JSON syntax/],
  ["a job in HCL's JSON syntax with the name id", { job: { id: { group: {} } } }, /HCL in JSON syntax/],
  ["the namespace *", { id: "web", namespace: "*" }, /one namespace/],
  ["snake case, which passes", { ID: "web", task_groups: [] }, /^$/],
])("the check of a job reads members in any case: %s", (_, json, reason) => {
  const scene = new JobScene({ dialect: "real" }, { switches: { dialect: "real" } });
  expect(
    scene.resource
      .check({ json })
      .map((problem) => problem.reason)
      .join("\n"),
  ).toMatch(reason);
});

test("the check rejects an object in place of the list of secret blocks in any case", () => {
  const scene = new JobScene({ dialect: "real" }, { switches: { dialect: "real" } });
  const json = {
    id: "web",
    taskgroups: [{ name: "front", tasks: [{ name: "server", SECRETS: { role: "app" } }] }],
  };
  expect(scene.resource.check({ json })[0]?.reason).toMatch(/must be a list/);
});

describe("job members that keep the case of their names", () => {
  const modelOf = (json: Json) => jobJson(real).canonical(json);

  test("a member that is also written under its canonical name stays as written", () => {
    const blocks = [{ Name: "db", Provider: "nomad", Path: "apps/db" }];
    const task = { Name: "server", Secrets: blocks, secrets: [], Vault: { Role: "a" }, vault: { role: "b" } };
    expect(modelOf({ ID: "web", TaskGroups: [{ Count: 2, count: 3, Tasks: [task] }] })).toMatchObject({
      TaskGroups: [
        {
          Count: 2,
          count: 3,
          Tasks: [{ SecretBlocks: blocks, secrets: [], Secrets: { Role: "a" }, vault: { role: "b" } }],
        },
      ],
    });
  });

  test("members in snake case stay as written", () => {
    expect(modelOf({ ID: "web", task_groups: [{ count: 1 }], vault_token: "x" })).toEqual({
      ID: "web",
      task_groups: [{ count: 1 }],
      vault_token: "x",
    });
  });
});

describe("a secret job member whose name has a different case", () => {
  const tokens = ["vaulttoken", "VAULTTOKEN", "consultoken", "secretstoken", "meshToken"];

  test.each(tokens)("is secret: %s", async (name) => {
    const definition = job.inDialect(real);
    const json = { id: "web", [name]: "canary" };
    expect(new SecretMap(definition, { json }).isSecret(["json", name])).toBe(true);
    expect(new SecretMap(definition, { json }).isSecret(["json", "id"])).toBe(false);
    expect(new SecretMap(definition, { json }).collect()).toEqual(["canary"]);
    const text = JSON.stringify(json);
    expect(new SecretMap(definition, { json: text }).collect()).toEqual(["canary"]);
    expect(new SecretMap(definition, { json: text }).holdsSecret(["json"], text)).toBe(true);
    const marked = protect(json, ["VaultToken", "ConsulToken", "SecretsToken", "MeshToken"]) as typeof json;
    expect(await settled(marked[name] as never)).toMatchObject({ isSecret: true });
    expect(marked.id).toBe("web");
  });

  test("may be read from an environment variable", () => {
    const source = { fromEnv: "TOKEN" };
    const inputs = { json: { id: "web", vaulttoken: source } };
    expect(sourcesIn(job.inDialect(real), inputs).map(({ path }) => path)).toEqual([["json", "vaulttoken"]]);
  });
});
