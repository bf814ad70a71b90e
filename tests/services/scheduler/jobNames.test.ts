import fc from "fast-check";
import { callFunction } from "../../../provider/core/functions/call";
import type { FunctionDefinition } from "../../../provider/core/functions/define";
import type { Values } from "../../../provider/core/language/object";
import type { Json } from "../../../provider/core/value/json";
import { getJob, getJobVersions } from "../../../provider/services/scheduler/jobReads";
import { parseJob } from "../../../provider/services/scheduler/jobSources";
import { expectNoChanges } from "../expectations";
import { JobScene } from "./job-scene";

type Members = { readonly [member: string]: Json };
type Dialect = "neutral" | "real";

/** The names of the same member in each dialect: the specification's, then Nomad's. */
const NAMES = {
  job: [
    ["SecretsToken", "VaultToken"],
    ["SecretsNamespace", "VaultNamespace"],
    ["MeshToken", "ConsulToken"],
    ["MeshNamespace", "ConsulNamespace"],
  ],
  connect: ["Mesh", "Consul"],
  vault: ["Secrets", "Vault"],
  secretBlocks: ["SecretBlocks", "Secrets"],
  grace: ["SecretsGrace", "VaultGrace"],
} as const;

const columnOf = (dialect: Dialect) => (dialect === "neutral" ? 0 : 1);

function scened(dialect: Dialect): JobScene {
  return new JobScene({ dialect }, { switches: { dialect, acl: false, injects: [] } });
}

const word = fc.constantFrom("a", "b", "c");
const connected = fc.record({ Namespace: word }, { requiredKeys: ["Namespace"] });
const vault = fc.record({ Role: word, Cluster: word }, { requiredKeys: ["Role"] });
const secretBlock = fc.record(
  {
    Provider: fc.constantFrom("plugin", "other"),
    Path: word,
    Env: fc.dictionary(fc.constantFrom("Vault", "Secrets", "Name", "KEY"), word, { minKeys: 1, maxKeys: 2 }),
  },
  { requiredKeys: ["Provider", "Path"] },
);
const secretBlocks = fc
  .uniqueArray(fc.tuple(word, secretBlock), { selector: ([name]) => name, minLength: 1, maxLength: 2 })
  .map((list) => list.map(([Name, rest]): Members => ({ Name, ...rest })));

/** Some of these members, in any order; a member may be null, as `nomad job inspect` prints absent members. */
function some(members: Readonly<Record<string, fc.Arbitrary<Json>>>): fc.Arbitrary<Members> {
  const entries = Object.entries(members).map(([name, value]) =>
    fc.tuple(fc.constant(name), fc.option(value, { nil: null, freq: 4 })),
  );
  return fc
    .tuple(...entries)
    .chain((all) => fc.shuffledSubarray(all))
    .map((chosen): Members => Object.fromEntries(chosen));
}

/** A job with members under the names of both dialects; a server knows those of its own dialect. */
function jobs(dialect: Dialect): fc.Arbitrary<Members> {
  const list = NAMES.secretBlocks[columnOf(dialect)];
  const block = NAMES.vault[columnOf(dialect)];
  const ofTask = { Vault: vault, SecretBlocks: secretBlocks, Mesh: connected, Consul: connected };
  return fc
    .record({
      job: some(Object.fromEntries(NAMES.job.flat().map((name) => [name, word]))),
      group: some({ Mesh: connected, Consul: connected }),
      task: some({ ...ofTask, [block]: vault, [list]: secretBlocks }),
      template: some({ SecretsGrace: fc.constant(60e9), VaultGrace: fc.constant(30e9) }),
      // The user's own keys are not names of members.
      meta: some({ SecretsToken: word, VaultToken: word, Vault: word }),
    })
    .map(({ job, group, task, template, meta }) => {
      const own = { ...task, Name: "server", Driver: "docker" };
      const templates = [{ ...template, EmbeddedTmpl: "x", DestPath: "y" }];
      const front = { ...group, Name: "front", Tasks: [{ ...own, Templates: templates }] };
      return { ...job, ...(Object.keys(meta).length > 0 && { Meta: meta }), ID: "web", TaskGroups: [front] };
    });
}

/** Nomad ignores these members and does not return them. */
const IGNORED = new Set(["VaultToken", "ConsulToken", "ConsulNamespace"]);

/** The members that a server of this dialect knows, and returns. */
function known(dialect: Dialect, { job, group, task, template }: ReturnType<typeof partsOf>): Members {
  const at = columnOf(dialect);
  const pick = (from: Members, names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap((name) => ((from[name] ?? null) === null ? [] : [[name, from[name] ?? null]])),
    );
  return {
    ...pick(
      job,
      NAMES.job.map((names) => names[at]).filter((name) => !IGNORED.has(name)),
    ),
    TaskGroups: [
      {
        ...pick(group, [NAMES.connect[at]]),
        Tasks: [
          {
            ...pick(task, [NAMES.connect[at], NAMES.vault[at], NAMES.secretBlocks[at]]),
            Templates: [pick(template, [NAMES.grace[at]])],
          },
        ],
      },
    ],
  };
}

function partsOf(job: Members) {
  const [group] = job.TaskGroups as [Members];
  const [task] = group.Tasks as [Members];
  const [template] = task.Templates as [Members];
  return { job, group, task, template };
}

function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === null ? [] : [[name, withoutNulls(member)]],
    ),
  );
}

/** A job without the members that a server fills in. */
function withoutFilledIn(value: Json, name = ""): Json {
  if (Array.isArray(value)) return value.map((element) => withoutFilledIn(element));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([member]) => name === "" || WRITTEN_MEMBERS.has(member));
  return Object.fromEntries(
    members.flatMap(([member, part]) =>
      part === null || part === "" || part === 0 || part === "default" || member === "Config"
        ? []
        : [[member, withoutFilledIn(part, FILLED_BLOCKS.has(member) && !Array.isArray(part) ? member : "")]],
    ),
  );
}

/** The blocks that a server fills in, and the members of them that these tests write. */
const FILLED_BLOCKS = new Set(["Vault", "Secrets", "Mesh", "Consul"]);
const WRITTEN_MEMBERS = new Set(["Role", "Cluster", "Namespace"]);

describe.each(["neutral", "real"] as const)("a job for a server of the %s dialect", (dialect) => {
  test.each(["an object", "a string"])(
    "is sent as written, and shows no changes afterward, as %s",
    async (form) => {
      await fc.assert(
        fc.asyncProperty(jobs(dialect), async (job) => {
          const scene = scened(dialect);
          const { resource } = scene;
          const json = form === "a string" ? JSON.stringify(job) : job;
          await resource.create({ json });
          expect(withoutNulls(scene.registers[0]?.Job ?? null)).toEqual(withoutNulls(job));
          expect(await scene.held()).toMatchObject(known(dialect, partsOf(job)));
          expect(resource.preview({ json }).changes).toEqual([]);
          expect(await resource.refresh()).toBe(true);
          expect(resource.inputs).toEqual({ json });
          expect(resource.preview({ json }).changes).toEqual([]);
        }),
        { numRuns: 60 },
      );
    },
  );

  test("shows changes made outside the stack in the names of its dialect, and an update reverts them", async () => {
    await fc.assert(
      fc.asyncProperty(jobs(dialect), jobs(dialect), async (job, otherJob) => {
        const scene = scened(dialect);
        const { resource } = scene;
        await resource.create({ json: job });
        await scene.register(otherJob);
        const held = known(dialect, partsOf(await scene.held()));
        expect(await resource.refresh()).toBe(true);
        const now = resource.inputs.json as Members;
        expect(withoutFilledIn(known(dialect, partsOf(now)))).toEqual(withoutFilledIn(held));
        // The refreshed inputs show no changes.
        expect(resource.preview({ json: now }).changes).toEqual([]);
        await resource.update({ json: job });
        expect(await scene.held()).toMatchObject(known(dialect, partsOf(job)));
        expect(await resource.refresh()).toBe(true);
        expect(resource.preview({ json: job }).changes).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test("is returned by imports and functions in the names of its dialect, ready for use as json", async () => {
    await fc.assert(
      fc.asyncProperty(jobs(dialect), async (job) => {
        const scene = scened(dialect);
        await scene.register(job);
        const held = known(dialect, partsOf(await scene.held()));
        const imported = scene.another();
        const { json } = await imported.get("default/web");
        const call = async (definition: FunctionDefinition, args: Values) =>
          (await callFunction(definition, args, { connection: scene.world.connection, log: () => undefined }))
            .result;
        const { job: returned } = await call(getJob, { jobId: "web" });
        const { versions } = await call(getJobVersions, { jobId: "web" });
        for (const each of [json, returned, (versions as Json[])[0]])
          expect(withoutFilledIn(known(dialect, partsOf(each as Members)))).toEqual(withoutFilledIn(held));
        // A program can use the returned job as it is.
        const { resource } = scene;
        await resource.create({ json: returned ?? null, adopt: true });
        expect(await scene.held()).toMatchObject(held);
        expect(resource.preview({ json: returned ?? null, adopt: true }).changes).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test("shows no changes against the same job as hcl, spec or json", async () => {
    const scene = scened(dialect);
    const { resource } = scene;
    const { inputs } = await resource.prepare({ hcl: TEXT });
    await resource.create(inputs as Values);
    const at = columnOf(dialect);
    expect(await scene.held()).toMatchObject({
      TaskGroups: [
        {
          [NAMES.connect[at]]: { Namespace: "ours" },
          Tasks: [{ [NAMES.vault[at]]: { Role: "app" }, [NAMES.secretBlocks[at]]: BLOCKS }],
        },
      ],
    });
    expect(resource.preview(inputs).changes).toEqual([]);
    expect(resource.preview({ spec: SPEC }).changes).toEqual([]);
    const task = {
      Name: "server",
      Driver: "docker",
      [NAMES.secretBlocks[at]]: BLOCKS,
      [NAMES.vault[at]]: { Role: "app" },
    };
    const json = {
      ID: "web",
      TaskGroups: [{ Name: "front", [NAMES.connect[at]]: { Namespace: "ours" }, Tasks: [task] }],
    };
    await expectNoChanges(resource, { json });
    // A refresh writes changes made outside the stack as JSON, which a program can use as hcl.
    await scene.register({
      ...json,
      TaskGroups: [{ ...json.TaskGroups[0], Tasks: [{ ...task, User: "them" }] }],
    });
    expect(await resource.refresh()).toBe(true);
    const shown = JSON.parse(String(resource.inputs.hcl)) as Members;
    expect(partsIn(shown)).toMatchObject({
      [NAMES.secretBlocks[at]]: withoutNulls(BLOCKS),
      [NAMES.vault[at]]: { Role: "app" },
    });
    const { inputs: read } = await resource.prepare({ hcl: String(resource.inputs.hcl) });
    expect(resource.preview(read).changes).toEqual([]);
    const parsed = await callFunction(
      parseJob,
      { hcl: TEXT },
      { connection: scene.world.connection, log: () => undefined },
    );
    expect(parsed.result.job).toMatchObject({
      TaskGroups: [{ Tasks: [{ [NAMES.secretBlocks[at]]: BLOCKS }] }],
    });
  });
});

function partsIn(job: Members): Json {
  const [group] = job.TaskGroups as [Members];
  return (group.Tasks as [Members])[0];
}

const BLOCKS = [
  { Name: "db", Provider: "nomad", Path: "apps/db", Config: { namespace: "ops" }, Env: null },
  { Name: "api", Provider: "vendor", Path: "apps/api", Env: { REGION: "eu" }, Config: null },
];

const TEXT = `job "web" {
  group "front" {
    consul { namespace = "ours" }
    task "server" {
      driver = "docker"
      vault { role = "app" }
      secret "db" {
        provider = "nomad"
        path     = "apps/db"
        config { namespace = "ops" }
      }
      secret "api" {
        provider = "vendor"
        path     = "apps/api"
        env { REGION = "eu" }
      }
    }
  }
}
`;

const SPEC = {
  id: "web",
  taskGroups: [
    {
      name: "front",
      mesh: { namespace: "ours" },
      tasks: [
        {
          name: "server",
          driver: "docker",
          secrets: { role: "app" },
          secretBlocks: [
            { name: "db", provider: "nomad", path: "apps/db", config: { namespace: "ops" } },
            { name: "api", provider: "vendor", path: "apps/api", env: { REGION: "eu" } },
          ],
        },
      ],
    },
  ],
};

test("secret blocks as nomad job inspect prints them show no changes, in any order of members", async () => {
  const Secrets = [{ Name: "db", Provider: "nomad", Path: "apps/db", Config: null, Env: null }];
  for (const task of [
    { Secrets, Vault: null },
    { Vault: null, Secrets },
    { Vault: { Role: "app" }, Secrets },
    { Secrets, Vault: { Role: "app" } },
  ]) {
    const scene = scened("real");
    const json = {
      ID: "web",
      TaskGroups: [{ Name: "front", Tasks: [{ ...task, Name: "server", Driver: "docker" }] }],
    };
    await scene.resource.create({ json });
    expect(await scene.held()).toMatchObject({ TaskGroups: [{ Tasks: [{ Secrets, Vault: task.Vault }] }] });
    await expectNoChanges(scene.resource, { json });
  }
});
