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

/** What each dialect calls the same member: the specification, and Nomad. */
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

/** Some of these members, in any order; one may also be null, as `nomad job inspect` prints what is not there. */
function some(members: Readonly<Record<string, fc.Arbitrary<Json>>>): fc.Arbitrary<Members> {
  const entries = Object.entries(members).map(([name, value]) =>
    fc.tuple(fc.constant(name), fc.option(value, { nil: null, freq: 4 })),
  );
  return fc
    .tuple(...entries)
    .chain((all) => fc.shuffledSubarray(all))
    .map((chosen): Members => Object.fromEntries(chosen));
}

/** A job with members under the names of both dialects, of which the server of either knows a part. */
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
      // The user's own keys are nobody's names.
      meta: some({ SecretsToken: word, VaultToken: word, Vault: word }),
    })
    .map(({ job, group, task, template, meta }) => {
      const own = { ...task, Name: "server", Driver: "docker" };
      const templates = [{ ...template, EmbeddedTmpl: "x", DestPath: "y" }];
      const front = { ...group, Name: "front", Tasks: [{ ...own, Templates: templates }] };
      return { ...job, ...(Object.keys(meta).length > 0 && { Meta: meta }), ID: "web", TaskGroups: [front] };
    });
}

/** Nomad takes no notice of these, and shows none. */
const IGNORED = new Set(["VaultToken", "ConsulToken"]);

/** What a server of this dialect shows of what it was given: the members that it knows. */
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

/** What is said in a job, without the members that a server fills in where nobody writes them. */
function said(value: Json, name = ""): Json {
  if (Array.isArray(value)) return value.map((element) => said(element));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([member]) => name === "" || SAID.has(member));
  return Object.fromEntries(
    members.flatMap(([member, part]) =>
      part === null || part === "" || part === 0 || part === "default" || member === "Config"
        ? []
        : [[member, said(part, BLOCKED.has(member) && !Array.isArray(part) ? member : "")]],
    ),
  );
}

/** The blocks that are filled in, and what a test writes of them. */
const BLOCKED = new Set(["Vault", "Secrets", "Mesh", "Consul"]);
const SAID = new Set(["Role", "Cluster", "Namespace"]);

describe.each(["neutral", "real"] as const)("a job in the names of a server that speaks %s", (dialect) => {
  test.each(["an object", "a text"])(
    "is sent as it is written, and shows no changes afterwards: %s",
    async (form) => {
      await fc.assert(
        fc.asyncProperty(jobs(dialect), async (job) => {
          const scene = scened(dialect);
          const { resource } = scene;
          const json = form === "a text" ? JSON.stringify(job) : job;
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

  test("shows what others change in it, by the names in which it is written", async () => {
    await fc.assert(
      fc.asyncProperty(jobs(dialect), jobs(dialect), async (job, theirs) => {
        const scene = scened(dialect);
        const { resource } = scene;
        await resource.create({ json: job });
        await scene.register(theirs);
        const held = known(dialect, partsOf(await scene.held()));
        expect(await resource.refresh()).toBe(true);
        const now = resource.inputs.json as Members;
        expect(said(known(dialect, partsOf(now)))).toEqual(said(held));
        // What it shows is a program that would change nothing.
        expect(resource.preview({ json: now }).changes).toEqual([]);
        await resource.update({ json: job });
        expect(await scene.held()).toMatchObject(known(dialect, partsOf(job)));
        expect(await resource.refresh()).toBe(true);
        expect(resource.preview({ json: job }).changes).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test("is imported, and answered by the functions, in those names", async () => {
    await fc.assert(
      fc.asyncProperty(jobs(dialect), async (job) => {
        const scene = scened(dialect);
        await scene.register(job);
        const held = known(dialect, partsOf(await scene.held()));
        const imported = scene.another();
        const { json } = await imported.get("default/web");
        const asked = async (definition: FunctionDefinition, args: Values) =>
          (await callFunction(definition, args, { connection: scene.world.connection, log: () => undefined }))
            .result;
        const { job: answered } = await asked(getJob, { jobId: "web" });
        const { versions } = await asked(getJobVersions, { jobId: "web" });
        for (const each of [json, answered, (versions as Json[])[0]])
          expect(said(known(dialect, partsOf(each as Members)))).toEqual(said(held));
        // An answer can be handed back as it is.
        const { resource } = scene;
        await resource.create({ json: answered ?? null, adopt: true });
        expect(await scene.held()).toMatchObject(held);
        expect(resource.preview({ json: answered ?? null, adopt: true }).changes).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test("is the same as text of the server's language and as a typed job", async () => {
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
    // A refresh writes what others changed as JSON, which is the program's next text.
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

test("what nomad job inspect prints of secret blocks stays, in whatever order its members are", async () => {
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
