import { dynamicHandler } from "../../../provider/core/bridge/dynamic/dynamicHandler";
import { withRecordsRead } from "../../../provider/core/bridge/records";
import type { Values } from "../../../provider/core/language/object";
import type { Json } from "../../../provider/core/value/json";
import { type Inputs, UNKNOWN } from "../../../provider/core/value/unknown";
import job from "../../../provider/services/scheduler/job";
import { tokensIn, variablesText } from "../../../provider/services/scheduler/jobText";
import { hostOf } from "../../core/bridge/host";
import { notesOfCreate } from "../expectations";
import { setFate } from "../interference";
import { JobScene, typedWeb, web, webText } from "./job-scene";

/** A check, and the create or update that follows it, as the engine calls them. */
async function up(scene: JobScene, written: Values): Promise<boolean> {
  const { inputs, problems } = await scene.resource.prepare(written);
  expect(problems).toEqual([]);
  // These programs contain no unknown values.
  const known = inputs as Values;
  if (scene.resource.id !== "") return scene.resource.up(known);
  await scene.resource.create(known);
  return true;
}

async function changesOf(scene: JobScene, written: Values) {
  const { inputs, notes } = await scene.resource.prepare(written);
  return { changes: scene.resource.preview(inputs).changes, notes };
}

const makeParserUnreachable = (scene: JobScene) => {
  setFate(scene.world, / \/v1\/jobs\/parse$/, "request lost");
};

const priority = (of: number) => webText.replace('job "web" {', `job "web" {\n  priority = ${of}`);

describe("the hcl property", () => {
  test("is parsed by Nomad, registered, and sent as the submission", async () => {
    const scene = new JobScene();
    await up(scene, { hcl: webText });
    expect(scene.world.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /v1/jobs/parse",
      "POST /v1/jobs",
      "GET /v1/job/web",
    ]);
    expect(await scene.held()).toMatchObject({ ID: "web", TaskGroups: [{ Name: "front", Count: 2 }] });
    const { json } = await scene.send("GET", "/v1/job/web/submission?version=0");
    expect(json).toMatchObject({ Source: webText, Format: "hcl2", Variables: "" });
  });

  test("rejects a parsed job with a different ID, unless the text has an id attribute", async () => {
    const scene = new JobScene();
    const other = { ID: "other", Name: "other", TaskGroups: [] };
    scene.world.transformResponse = ({ path }, answer) =>
      path.endsWith("/parse") ? { ...answer, json: other } : answer;
    const mismatch = "an object other than the requested object";
    await expect(
      scene.resource.prepare({ hcl: webText }).then(({ notes }) => notes.join()),
    ).resolves.toContain(mismatch);
    await expect(scene.resource.create({ hcl: webText })).rejects.toThrow(mismatch);
    const named = webText.replace('job "web" {', 'job "web" {\n  id = "named"');
    expect((await scene.resource.prepare({ hcl: named })).notes.join()).not.toContain(mismatch);
  });

  test("is parsed in the namespace and the region of the job", async () => {
    const scene = new JobScene({ namespace: "shop" });
    await up(scene, { hcl: webText, region: "global" });
    expect(scene.world.requests[0]?.query).toEqual({ namespace: "shop", region: "global" });
    expect(scene.resource.id).toBe("global@shop/web");
  });

  test("is not parsed again while it is unchanged", async () => {
    const scene = new JobScene();
    await up(scene, { hcl: webText });
    makeParserUnreachable(scene);
    expect(await changesOf(scene, { hcl: webText })).toEqual({ changes: [], notes: [] });
    expect(scene.parses).toBe(1);
  });

  test.each<[string, string]>([
    ["a comment", `# the front\n${webText}`],
    ["a different layout", webText.replaceAll("  ", "      ")],
    ["an explicit default", webText.replace('job "web" {', 'job "web" {\n  type = "service"')],
  ])("shows no changes with %s", async (_, hcl) => {
    const scene = new JobScene();
    await up(scene, { hcl: webText });
    expect(await changesOf(scene, { hcl })).toEqual({ changes: [], notes: [] });
    expect(scene.parses).toBe(2);
  });

  test("shows changes by the path of the member", async () => {
    const scene = new JobScene();
    await up(scene, { hcl: webText });
    const { changes } = await changesOf(scene, { hcl: priority(70) });
    expect(changes).toMatchObject([{ path: ["hcl", "Priority"], kind: "update", cause: "program" }]);
  });

  test("is compared as text if Nomad is unreachable, which the preview notes without failing", async () => {
    const scene = new JobScene();
    await up(scene, { hcl: webText });
    makeParserUnreachable(scene);
    const { changes, notes } = await changesOf(scene, { hcl: priority(70) });
    expect(changes).toMatchObject([{ path: ["hcl"], cause: "program", replaces: false }]);
    expect(notes).toMatchObject([
      expect.stringMatching(
        /^the server could not parse hcl, so Quarterdeck compares hcl as text only: .*lost/,
      ),
    ]);
    scene.world.fate = () => "passes";
    await scene.resource.up({ hcl: priority(70) });
    expect(await scene.held()).toMatchObject({ Priority: 70 });
  });

  test("keeps the namespace from the text, not from the connection, while it cannot be parsed", async () => {
    const scene = new JobScene({ namespace: "default" });
    const inShop = (of: number) => priority(of).replace("priority", 'namespace = "shop"\n  priority');
    await up(scene, { hcl: inShop(50) });
    expect(scene.resource.id).toBe("shop/web");
    makeParserUnreachable(scene);
    for (const hcl of [inShop(60), UNKNOWN] as const) {
      const { inputs } = await scene.resource.prepare({ hcl });
      expect(scene.resource.preview(inputs).changes).toMatchObject([{ path: ["hcl"], replaces: false }]);
    }
  });

  test("fails the update without a write if it names a different job, which no preview has parsed", async () => {
    const scene = new JobScene();
    await up(scene, { hcl: webText });
    const failure = await scene.resource.update({ hcl: webText.replace('"web"', '"api"') }).catch(String);
    expect(failure).toContain("hcl now has a different jobId");
    expect(failure).toContain("nothing was written");
    expect(scene.registers).toHaveLength(1);
  });

  test("fails the check with Nomad's message if it is invalid", async () => {
    const scene = new JobScene();
    const { problems } = await scene.resource.prepare({ hcl: 'job "web" {\n  prioritty = 70\n}' });
    expect(problems).toMatchObject([{ path: "hcl", reason: expect.stringContaining("prioritty") }]);
    expect(problems[0]?.reason).toContain("Failed to parse job");
  });

  test.each([
    ["an unknown token", "nobody"],
    ["a token without permission", "reader"],
  ])("fails the check, not only with a note, if Nomad denies the request for %s", async (_, token) => {
    const scene = new JobScene({ token });
    scene.stub.seed({ tokens: { reader: { namespaces: { default: ["list-jobs"] } } } });
    const { problems, notes } = await scene.resource.prepare({ hcl: webText });
    expect({ problems, notes }).toMatchObject({ problems: [{ path: "hcl" }], notes: [] });
    expect(problems[0]?.reason).toContain("403");
  });

  test("passes the check if a part of it is unknown, and no request is sent", async () => {
    const scene = new JobScene();
    await up(scene, { hcl: webText, namespace: "default" });
    const sent = scene.world.requests.length;
    const open: Inputs[] = [{ hcl: UNKNOWN }, { hcl: webText, variables: { image: UNKNOWN } }];
    for (const written of open) {
      const { inputs, problems } = await scene.resource.prepare({ ...written, namespace: "default" });
      expect([...problems, ...scene.resource.check(inputs)]).toEqual([]);
      const { changes } = scene.resource.preview(inputs);
      expect(changes.map(({ replaces }) => replaces)).toEqual([false]);
    }
    expect(scene.world.requests.length).toBe(sent);
  });

  test.each<[string, Values]>([
    ["spec", { spec: typedWeb }],
    ["json", { json: web }],
  ])("shows no changes against an equal %s, in either direction", async (_, other) => {
    const scene = new JobScene();
    await up(scene, other);
    expect(await changesOf(scene, { hcl: webText })).toEqual({ changes: [], notes: [] });
    const text = new JobScene();
    await up(text, { hcl: webText });
    expect(await changesOf(text, other)).toEqual({ changes: [], notes: [] });
  });

  test("is parsed and submitted as HCL1 with hclv1: true", async () => {
    const scene = new JobScene();
    await up(scene, { hcl: webText, hclv1: true });
    expect(scene.world.requests[0]?.body).toMatchObject({ HCLv1: true });
    expect(scene.registers[0]).toMatchObject({ Submission: { Format: "hcl1" } });
  });
});

test("the check names a list variable that is given as a JSON string", async () => {
  const scene = new JobScene();
  const hcl = `variable "zones" {\n  type = list(string)\n}\n${webText}`;
  const { problems } = await scene.resource.prepare({ hcl, variables: { zones: '["a"]' } });
  expect(problems.map(({ reason }) => reason).join()).toContain("Correct variables.zones");
  await up(scene, { hcl, variables: { zones: ["a"] } });
});

test.each(["hcl", "json"])("the check rejects HCL in JSON syntax in %s", (form) => {
  const { resource } = new JobScene();
  const written = { job: { web: { datacenters: ["dc1"] } } };
  const expected = [{ path: form, reason: expect.stringContaining("HCL in JSON syntax") }];
  expect(resource.check({ [form]: JSON.stringify(written) })).toEqual(expect.arrayContaining(expected));
  if (form === "json") expect(resource.check({ json: written })).toEqual(expect.arrayContaining(expected));
  expect(resource.check({ [form]: JSON.stringify(web) })).toEqual([]);
});

describe("the variables of hcl", () => {
  const withImage = `variable "image" { type = string }\n${webText.replace(
    'driver = "docker"',
    'driver = "docker"\n      config {\n        image = var.image\n      }',
  )}`;

  test("may be an object or the text of a variable file, and both give the same job", async () => {
    const scene = new JobScene();
    await up(scene, { hcl: withImage, variables: { image: "web:1" } });
    const expected = { TaskGroups: [{ Tasks: [{ Config: { image: "web:1" } }] }] };
    expect(await scene.held()).toMatchObject(expected);
    expect(scene.registers[0]).toMatchObject({ Submission: { Variables: 'image = "web:1"\n' } });
    expect(await changesOf(scene, { hcl: withImage, variables: 'image = "web:1"' })).toMatchObject({
      changes: [],
    });
    const { changes } = await changesOf(scene, { hcl: withImage, variables: { image: "web:2" } });
    const path = ["hcl", "TaskGroups", "\u0001front", "Tasks", "\u0001server", "Config", "image"];
    expect(changes).toMatchObject([{ path }]);
  });

  test.each<Json>([
    "plain",
    `\${var.other} %{if true}`,
    'quotes " and \\ and \n lines',
    "\b\f\u0001",
    7,
    true,
    ["a", "b"],
    { "a key": "b", c: [1, { d: "e" }] },
  ])("reach the job unchanged: %j", async (value) => {
    const scene = new JobScene();
    const { status, text } = await scene.send("POST", "/v1/jobs/parse", {
      JobHCL: `variable "given" {}\n${webText.replace('driver = "docker"', 'driver = "docker"\n config {\n given = var.given\n }')}`,
      Variables: variablesText({ given: value }),
    });
    expect([status, status === 200 ? "" : text]).toEqual([200, ""]);
    const { TaskGroups } = JSON.parse(text);
    expect(TaskGroups[0].Tasks[0].Config.given).toEqual(value);
  });

  test.each<[Values, string]>([
    [{ json: web, variables: {} }, "variables: given {}: requires hcl"],
    [{ json: web, hclv1: true }, "hclv1: given true: requires hcl"],
    [{ hcl: webText, variables: { "a b": 1 } }, '"a b" is not a valid variable name'],
    [{ hcl: webText, variables: { "-a": 1 } }, '"-a" is not a valid variable name'],
    [{ hcl: webText, variables: { "a\nb": 1 } }, "is not a valid variable name"],
  ])("fail the check: %j", (inputs, reason) => {
    const problems = new JobScene().resource.check(inputs).map(({ path, reason: why }) => `${path}: ${why}`);
    expect(problems.join("\n")).toContain(reason);
  });

  test.each(["image", "_image-2", "größe", "cafe\u0301", "नाम", "名前"])(
    "may have the name %j, as in HCL",
    (name) => {
      expect(new JobScene().resource.check({ hcl: webText, variables: { [name]: 1 } })).toEqual([]);
    },
  );

  test("are accepted with hclv1: true, and the preview notes that they have no effect", () => {
    const { resource } = new JobScene();
    const program = { hcl: webText, hclv1: true, variables: { a: 1 } };
    expect(resource.check(program)).toEqual([]);
    expect(notesOfCreate(job, program)).toEqual([
      "variables have no effect with hclv1: HCL1 has no variables",
    ]);
  });
});

describe("an hcl job that someone else changed", () => {
  test("is drift, is returned as JSON by a refresh, and is restored by an up without parsing again", async () => {
    const scene = new JobScene();
    await up(scene, { hcl: webText });
    await scene.register({ ...web, Priority: 60 });
    await scene.resource.refresh();
    expect(JSON.parse(String(scene.resource.inputs.hcl))).toMatchObject({ ID: "web", Priority: 60 });
    const { changes, notes } = await changesOf(scene, { hcl: webText });
    expect(changes).toMatchObject([{ path: ["hcl", "Priority"], cause: "drift" }]);
    expect(notes).toEqual([]);
    await up(scene, { hcl: webText });
    expect(await scene.held()).toMatchObject({ Priority: 50 });
    expect(scene.parses).toBe(1);
    expect(scene.registers.at(-1)).toMatchObject({ Submission: { Source: webText, Format: "hcl2" } });
  });

  test("is returned by a refresh without the empty members that Nomad adds", async () => {
    const scene = new JobScene();
    const withEmptyEnv = webText.replace('driver = "docker"', 'driver = "docker"\n env { EMPTY = "" }');
    await up(scene, { hcl: withEmptyEnv });
    const [group] = web.TaskGroups;
    const tasks = [{ Name: "server", Driver: "docker", Env: { EMPTY: "" } }];
    await scene.register({ ...web, TaskGroups: [{ ...group, Tasks: tasks }], Priority: 60 });
    await scene.resource.refresh();
    const shown = JSON.parse(String(scene.resource.inputs.hcl));
    expect(shown).toEqual({
      ID: "web",
      Name: "web",
      Priority: 60,
      TaskGroups: [{ Name: "front", Count: 2, Tasks: tasks }],
    });
  });

  test("is not reverted by a program with ignoreChanges for hcl", async () => {
    const scene = new JobScene();
    await up(scene, { hcl: webText });
    await scene.register({ ...web, Priority: 60 });
    await scene.resource.refresh();
    // With ignoreChanges, the engine replaces the input with the one in the state before the check.
    const ignored = { hcl: scene.resource.inputs.hcl ?? "" };
    expect(await changesOf(scene, ignored)).toEqual({ changes: [], notes: [] });
    expect(scene.resource.check(ignored)).toEqual([]);
    await scene.resource.update({ ...ignored, preserveCounts: true });
    expect(await scene.held()).toMatchObject({ Priority: 60 });
  });
});

describe("secrets in hcl", () => {
  const SIGNATURE = "4dabf18193072939515e22adb298388d";
  const withToken = (value: string) =>
    webText.replace('job "web" {', `job "web" {\n  secrets_token = ${value}`);
  const provider = { __provider: "text" };

  function bridged() {
    const scene = new JobScene();
    const printed: string[] = [];
    const host = hostOf(() => scene.world.connection, printed);
    const handler = dynamicHandler(job, () => host);
    return { scene, handler, printed };
  }

  test("are marked by a create in hcl and in the records, which alone contain the parsed job", async () => {
    const { scene, handler } = bridged();
    const { inputs, failures } = await handler.check({}, { hcl: withToken('"canary"'), ...provider });
    expect(failures).toEqual([]);
    expect(JSON.stringify({ ...inputs, hcl: "" })).not.toMatch(/canary|TaskGroups/);
    const { outs } = await handler.create({ ...inputs, ...provider });
    expect(scene.parses).toBe(1);
    expect(outs.hcl).toHaveProperty(SIGNATURE);
    expect(outs.__quarterdeck).toHaveProperty(SIGNATURE);
    expect(JSON.stringify({ ...outs, hcl: "", __quarterdeck: "" })).not.toMatch(/canary|TaskGroups/);
  });

  test("include hcl in a refresh of a job that someone else changed if a variable is marked as secret", async () => {
    const { scene, handler } = bridged();
    const hcl = `variable "token" {}\n${withToken("var.token")}`;
    const along = { __aside: { secrets: ["variables.token"] } };
    const marked = { hcl, variables: { token: "canary" }, ...along, ...provider };
    const { id, outs } = await handler.create(marked);
    await scene.register({ ...web, Priority: 60 });
    const state = JSON.parse(JSON.stringify(outs, (_, value) => value?.value ?? value));
    const found = await handler.read(id, { ...state, ...provider });
    expect(found.inputs?.hcl).toHaveProperty(SIGNATURE);
  });

  test("are masked in Nomad's messages about invalid text", async () => {
    const { handler } = bridged();
    const hcl = withToken('"canary" oops');
    const { failures } = await handler.check({}, { hcl, ...provider });
    expect(failures).toHaveLength(1);
    expect(JSON.stringify(failures)).not.toContain("canary");
  });

  test("are masked in drift and conflict messages", async () => {
    const scene = new JobScene();
    await up(scene, { hcl: withToken('"canary"') });
    await scene.register({ ...web, SecretsToken: "another-canary" });
    const failure = await scene.resource.up({ hcl: priority(70) }).catch(String);
    expect(failure).toMatch(/hcl\.SecretsToken\s+\[secret\]/);
    await scene.resource.refresh();
    expect(`${failure}${scene.world.logged.join()}`).not.toContain("canary");
  });
});

test.each([
  ['vault_token = "hush-hush-1"', ["hush-hush-1"]],
  ["vault_token = <<EOT\nhush-hush-1\nEOT\n", ["hush-hush-1"]],
  ["vault_token = <<-EOT\n    hush-hush-1\n  EOT\n", ["hush-hush-1"]],
  [
    'vault_token = <<EOT\r\nhush-hush-1\r\nEOT\r\nconsul_token = "hush-hush-2"',
    ["hush-hush-1", "hush-hush-2"],
  ],
  ["vault_token = <<EOT\nhush-hush-1\n", ["hush-hush-1"]],
  ["vault_token = var.token", []],
])("tokensIn finds the literal tokens in %j: %j", (text, tokens) => {
  expect(tokensIn(text)).toEqual(tokens);
});

const provider = { __provider: "text" };

/** Counts how often a text is parsed during this call. */
async function countParses(run: () => Promise<unknown>): Promise<(text: string) => number> {
  const parse = jest.spyOn(JSON, "parse");
  try {
    await run();
    const texts = parse.mock.calls.map(([text]) => text);
    return (text) => texts.filter((each) => each === text).length;
  } finally {
    parse.mockRestore();
  }
}

test("a job's JSON string is parsed once, and its records once, in the check and the operation after it", async () => {
  const scene = new JobScene();
  const host = hostOf(() => scene.world.connection);
  const handler = dynamicHandler(job, () => host);
  const json = JSON.stringify({ ...web, Meta: { size: "large" } });
  const news = { json, namespace: "default", ...provider };
  const made: { id: string; outs: Readonly<Record<string, unknown>> }[] = [];
  const first = await countParses(async () => {
    await handler.check({}, news);
    made.push(await handler.create(news));
  });
  expect(first(json)).toBe(1);
  const [{ id, outs } = { id: "", outs: {} }] = made;
  const { value } = Object(outs.__quarterdeck) as { value?: string };
  const olds = { ...outs, __quarterdeck: value ?? outs.__quarterdeck, ...provider };
  const record = withRecordsRead(job, olds).__quarterdeck;
  if (typeof record !== "string") throw new Error("it has no records");
  const other = JSON.stringify({ ...web, Meta: { size: "larger" } });
  const second = await countParses(async () => {
    await handler.check(news, { ...news, json: other });
    await handler.diff(id, olds, { ...news, json: other });
    await handler.update(id, olds, { ...news, json: other });
  });
  expect([second(json), second(other), first(record) + second(record)]).toEqual([0, 1, 1]);
});
