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

/** A check, and the step that follows it, as an engine would call them. */
async function up(scene: JobScene, written: Values): Promise<boolean> {
  const { inputs, problems } = await scene.resource.prepare(written);
  expect(problems).toEqual([]);
  // Everything that these programs write is known.
  const known = inputs as Values;
  if (scene.resource.id !== "") return scene.resource.up(known);
  await scene.resource.create(known);
  return true;
}

async function changesOf(scene: JobScene, written: Values) {
  const { inputs, notes } = await scene.resource.prepare(written);
  return { changes: scene.resource.preview(inputs).changes, notes };
}

const unreachable = (scene: JobScene) => {
  setFate(scene.world, / \/v1\/jobs\/parse$/, "request lost");
};

const priority = (of: number) => webText.replace('job "web" {', `job "web" {\n  priority = ${of}`);

describe("a job's text", () => {
  test("is read by the service, registered, and goes along as the submission", async () => {
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

  test("is not taken for another job, whatever answers for the service; what gives its job an id may be any", async () => {
    const scene = new JobScene();
    const other = { ID: "other", Name: "other", TaskGroups: [] };
    scene.world.saying = ({ path }, answer) =>
      path.endsWith("/parse") ? { ...answer, json: other } : answer;
    const told = "what is not the object that was asked for";
    await expect(
      scene.resource.prepare({ hcl: webText }).then(({ notes }) => notes.join()),
    ).resolves.toContain(told);
    await expect(scene.resource.create({ hcl: webText })).rejects.toThrow(told);
    const named = webText.replace('job "web" {', 'job "web" {\n  id = "named"');
    expect((await scene.resource.prepare({ hcl: named })).notes.join()).not.toContain(told);
  });

  test("is read in the namespace and the region where the job will be", async () => {
    const scene = new JobScene({ namespace: "shop" });
    await up(scene, { hcl: webText, region: "global" });
    expect(scene.world.requests[0]?.query).toEqual({ namespace: "shop", region: "global" });
    expect(scene.resource.id).toBe("global@shop/web");
  });

  test("is never read again while it stays the same", async () => {
    const scene = new JobScene();
    await up(scene, { hcl: webText });
    unreachable(scene);
    expect(await changesOf(scene, { hcl: webText })).toEqual({ changes: [], notes: [] });
    expect(scene.parses).toBe(1);
  });

  test.each<[string, string]>([
    ["a comment", `# the front\n${webText}`],
    ["another layout", webText.replaceAll("  ", "      ")],
    ["a default spelled out", webText.replace('job "web" {', 'job "web" {\n  type = "service"')],
  ])("with %s more is no change", async (_, hcl) => {
    const scene = new JobScene();
    await up(scene, { hcl: webText });
    expect(await changesOf(scene, { hcl })).toEqual({ changes: [], notes: [] });
    expect(scene.parses).toBe(2);
  });

  test("shows what changes in it, member by member", async () => {
    const scene = new JobScene();
    await up(scene, { hcl: webText });
    const { changes } = await changesOf(scene, { hcl: priority(70) });
    expect(changes).toMatchObject([{ path: ["hcl", "Priority"], kind: "update", cause: "program" }]);
  });

  test("is compared as text where the service cannot be asked, and the preview says so and goes on", async () => {
    const scene = new JobScene();
    await up(scene, { hcl: webText });
    unreachable(scene);
    const { changes, notes } = await changesOf(scene, { hcl: priority(70) });
    expect(changes).toMatchObject([{ path: ["hcl"], cause: "program", replaces: false }]);
    expect(notes).toMatchObject([
      expect.stringMatching(/^hcl could not be read by the service, so it is compared as text only: .*lost/),
    ]);
    scene.world.fate = () => "passes";
    await scene.resource.up({ hcl: priority(70) });
    expect(await scene.held()).toMatchObject({ Priority: 70 });
  });

  test("stays where it says itself, though the connection says another place, while it cannot be read", async () => {
    const scene = new JobScene({ namespace: "default" });
    const inShop = (of: number) => priority(of).replace("priority", 'namespace = "shop"\n  priority');
    await up(scene, { hcl: inShop(50) });
    expect(scene.resource.id).toBe("shop/web");
    unreachable(scene);
    for (const hcl of [inShop(60), UNKNOWN] as const) {
      const { inputs } = await scene.resource.prepare({ hcl });
      expect(scene.resource.preview(inputs).changes).toMatchObject([{ path: ["hcl"], replaces: false }]);
    }
  });

  test("that names another job, which could be read only after the preview, changes neither of them", async () => {
    const scene = new JobScene();
    await up(scene, { hcl: webText });
    const failure = await scene.resource.update({ hcl: webText.replace('"web"', '"api"') }).catch(String);
    expect(failure).toContain("hcl now gives another jobId");
    expect(failure).toContain("nothing was written");
    expect(scene.registers).toHaveLength(1);
  });

  test("that the service refuses is a failure of the preview, in the service's words", async () => {
    const scene = new JobScene();
    const { problems } = await scene.resource.prepare({ hcl: 'job "web" {\n  prioritty = 70\n}' });
    expect(problems).toMatchObject([{ path: "hcl", reason: expect.stringContaining("prioritty") }]);
    expect(problems[0]?.reason).toContain("Failed to parse job");
  });

  test.each([
    ["a token that is unknown", "nobody"],
    ["a token without the right", "reader"],
  ])("that the service does not read for %s is a failure of the preview, not a note", async (_, token) => {
    const scene = new JobScene({ token });
    scene.stub.seed({ tokens: { reader: { namespaces: { default: ["list-jobs"] } } } });
    const { problems, notes } = await scene.resource.prepare({ hcl: webText });
    expect({ problems, notes }).toMatchObject({ problems: [{ path: "hcl" }], notes: [] });
    expect(problems[0]?.reason).toContain("403");
  });

  test("of which a part is not known yet passes, and nothing is sent", async () => {
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
  ])("is no change against an equal %s, either way", async (_, other) => {
    const scene = new JobScene();
    await up(scene, other);
    expect(await changesOf(scene, { hcl: webText })).toEqual({ changes: [], notes: [] });
    const text = new JobScene();
    await up(text, { hcl: webText });
    expect(await changesOf(text, other)).toEqual({ changes: [], notes: [] });
  });

  test("is parsed by the older parser where the program says so", async () => {
    const scene = new JobScene();
    await up(scene, { hcl: webText, hclv1: true });
    expect(scene.world.requests[0]?.body).toMatchObject({ HCLv1: true });
    expect(scene.registers[0]).toMatchObject({ Submission: { Format: "hcl1" } });
  });
});

test("a list variable that is given as JSON text is named in the error", async () => {
  const scene = new JobScene();
  const hcl = `variable "zones" {\n  type = list(string)\n}\n${webText}`;
  const { problems } = await scene.resource.prepare({ hcl, variables: { zones: '["a"]' } });
  expect(problems.map(({ reason }) => reason).join()).toContain("Correct variables.zones");
  await up(scene, { hcl, variables: { zones: ["a"] } });
});

test.each(["hcl", "json"])("HCL's JSON form is refused as %s in the preview", (form) => {
  const { resource } = new JobScene();
  const written = { job: { web: { datacenters: ["dc1"] } } };
  const expected = [{ path: form, reason: expect.stringContaining("HCL's JSON form") }];
  expect(resource.check({ [form]: JSON.stringify(written) })).toEqual(expect.arrayContaining(expected));
  if (form === "json") expect(resource.check({ json: written })).toEqual(expect.arrayContaining(expected));
  expect(resource.check({ [form]: JSON.stringify(web) })).toEqual([]);
});

describe("a job's variables", () => {
  const withImage = `variable "image" { type = string }\n${webText.replace(
    'driver = "docker"',
    'driver = "docker"\n      config {\n        image = var.image\n      }',
  )}`;

  test("are given by name, or as the text of a file, and both are the same job", async () => {
    const scene = new JobScene();
    await up(scene, { hcl: withImage, variables: { image: "web:1" } });
    const held = { TaskGroups: [{ Tasks: [{ Config: { image: "web:1" } }] }] };
    expect(await scene.held()).toMatchObject(held);
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
  ])("reach the job as they are: %j", async (value) => {
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
    [{ json: web, variables: {} }, "variables: given {}: needs hcl"],
    [{ json: web, hclv1: true }, "hclv1: given true: needs hcl"],
    [{ hcl: webText, variables: { "a b": 1 } }, '"a b" is no name of a variable'],
    [{ hcl: webText, variables: { "-a": 1 } }, '"-a" is no name of a variable'],
    [{ hcl: webText, variables: { "a\nb": 1 } }, "is no name of a variable"],
  ])("%j is refused", (inputs, reason) => {
    const problems = new JobScene().resource.check(inputs).map(({ path, reason: why }) => `${path}: ${why}`);
    expect(problems.join("\n")).toContain(reason);
  });

  test.each(["image", "_image-2", "größe", "cafe\u0301", "नाम", "名前"])(
    "may be called %j, as in the scheduler's language",
    (name) => {
      expect(new JobScene().resource.check({ hcl: webText, variables: { [name]: 1 } })).toEqual([]);
    },
  );

  test("beside hclv1 are taken, as the service takes them, and the preview says that they mean nothing", () => {
    const { resource } = new JobScene();
    const program = { hcl: webText, hclv1: true, variables: { a: 1 } };
    expect(resource.check(program)).toEqual([]);
    expect(notesOfCreate(job, program)).toEqual([
      "variables say nothing with hclv1: the older parser knows none",
    ]);
  });
});

describe("a job of text that others changed", () => {
  test("is drift, comes back from a refresh as JSON, and is put back by the text without asking again", async () => {
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

  test("is shown without the members that say nothing, which the service names all the same", async () => {
    const scene = new JobScene();
    const kept = webText.replace('driver = "docker"', 'driver = "docker"\n env { EMPTY = "" }');
    await up(scene, { hcl: kept });
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

  test("is left alone by a program that ignores changes of its text", async () => {
    const scene = new JobScene();
    await up(scene, { hcl: webText });
    await scene.register({ ...web, Priority: 60 });
    await scene.resource.refresh();
    // With ignoreChanges the engine puts the state's own input back before the check.
    const ignored = { hcl: scene.resource.inputs.hcl ?? "" };
    expect(await changesOf(scene, ignored)).toEqual({ changes: [], notes: [] });
    expect(scene.resource.check(ignored)).toEqual([]);
    await scene.resource.update({ ...ignored, preserveCounts: true });
    expect(await scene.held()).toMatchObject({ Priority: 60 });
  });
});

describe("secrets in a job's text", () => {
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

  test("come out of a create marked: in the text, and in the records, which alone hold what was read in it", async () => {
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

  test("come from variables that the program marked, and then everything that others changed in it is kept secret", async () => {
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

  test("are masked in what the service says of text that it refuses", async () => {
    const { handler } = bridged();
    const hcl = withToken('"canary" oops');
    const { failures } = await handler.check({}, { hcl, ...provider });
    expect(failures).toHaveLength(1);
    expect(JSON.stringify(failures)).not.toContain("canary");
  });

  test("are masked in drift and conflicts", async () => {
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
])("the literal tokens of %j are %j", (text, tokens) => {
  expect(tokensIn(text)).toEqual(tokens);
});

const provider = { __provider: "text" };

/** How often each of these texts is parsed while something is done. */
async function parses(run: () => Promise<unknown>): Promise<(text: string) => number> {
  const parse = jest.spyOn(JSON, "parse");
  try {
    await run();
    const texts = parse.mock.calls.map(([text]) => text);
    return (text) => texts.filter((each) => each === text).length;
  } finally {
    parse.mockRestore();
  }
}

test("a job's text is parsed once, and its records once a step, however often they are asked what they say", async () => {
  const scene = new JobScene();
  const host = hostOf(() => scene.world.connection);
  const handler = dynamicHandler(job, () => host);
  const json = JSON.stringify({ ...web, Meta: { size: "large" } });
  const news = { json, namespace: "default", ...provider };
  const made: { id: string; outs: Readonly<Record<string, unknown>> }[] = [];
  const first = await parses(async () => {
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
  const second = await parses(async () => {
    await handler.check(news, { ...news, json: other });
    await handler.diff(id, olds, { ...news, json: other });
    await handler.update(id, olds, { ...news, json: other });
  });
  expect([second(json), second(other), first(record) + second(record)]).toEqual([0, 1, 1]);
});
