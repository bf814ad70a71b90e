import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HttpRequest } from "../../../provider/core/http/request";
import { formatJson, type Json } from "../../../provider/core/value/json";
import { CERTIFICATE } from "../../../testing/tests/stub/mesh-certificate";
import { runsOf } from "../../redact/readable";
import { share } from "../../rounds";
import type { World } from "../../steps/world";
import { type Engine, engines } from "./engines";
import { type SecretScene, type SecretSubject, secretSubjects } from "./secretSubjects";

const folder = mkdtempSync(join(tmpdir(), "quarterdeck-secrets-"));
afterAll(() => rmSync(folder, { recursive: true }));

const VARIABLE = "QUARTERDECK_TEST_SECRET";
const FILE = join(folder, "secret");

/** The secret sources, and how the test puts a secret there. */
const SOURCES = {
  fromEnv: {
    written: { fromEnv: VARIABLE },
    text: `fromEnv("${VARIABLE}")`,
    put: (secret: string) => {
      process.env[VARIABLE] = secret;
    },
    remove: () => {
      delete process.env[VARIABLE];
    },
    problem: `the environment variable ${VARIABLE} is not set: set the variable in the environment of the Pulumi engine`,
  },
  fromFile: {
    written: { fromFile: FILE },
    text: `fromFile(${JSON.stringify(FILE)})`,
    put: (secret: string) => writeFileSync(FILE, `${secret}\n`),
    remove: () => unlinkSync(FILE),
    problem: `the file ${JSON.stringify(FILE)} cannot be read (ENOENT): create the file, or correct the path (relative to the program's folder)`,
  },
} as const;

afterEach(() => {
  delete process.env[VARIABLE];
  rmSync(FILE, { force: true });
});

const CANARIES = ["canary-of-the-first-secret-4711", "canary-of-another-secret-0815"] as const;

type Source = (typeof SOURCES)[keyof typeof SOURCES];

/** One secret field with its scene and its engine on one of the bridges. */
interface Trial {
  readonly scene: SecretScene;
  readonly engine: Engine;
  readonly first: string;
  readonly second: string;
}

async function newTrial(subject: SecretSubject, bridge: keyof typeof engines): Promise<Trial> {
  const scene = await subject.scene();
  const [first, second] = subject.secrets ?? CANARIES;
  return {
    scene,
    engine: new engines[bridge](subject.definition, scene.world),
    first: scene.secret ?? first,
    second,
  };
}

/** The requests since the last call. */
function takeRequests({ requests }: World): Json[] {
  return requests
    .splice(0)
    .map(({ method, path, query = {}, body = null }: HttpRequest) =>
      JSON.parse(`[${JSON.stringify([method, path, query])},${formatJson(body)}]`).flat(),
    );
}

/** The requests that change something. The lookup of a lease is a read, although it is a POST. */
const writes = (requests: readonly Json[]) =>
  requests.filter((one) => !/^\["(?:GET|LIST|POST","\/v1\/sys\/leases\/lookup)"/.test(JSON.stringify(one)));

/** The public half of the key, which is also part of its certificate. */
const PUBLIC = CERTIFICATE.replace(/\s/g, "");

/** The fragments of a secret that a text contains. */
function tracesOf(secret: string, text: string): readonly string[] {
  return runsOf(secret.trim(), text).filter((run) => !PUBLIC.includes(run.replace(/\s/g, "")));
}

/** Neither the state nor any message contains a fragment of the secrets. */
function expectNoTrace({ engine }: Trial, ...secrets: readonly string[]): void {
  for (const text of [engine.readable(), engine.messages.join("\n")])
    for (const secret of secrets) expect(tracesOf(secret, text)).toEqual([]);
}

const cases = secretSubjects.flatMap((subject) =>
  (["dynamic", "plugin"] as const).flatMap((bridge) =>
    Object.entries(SOURCES).map(([kind, source]) => [subject.name, bridge, kind, subject, source] as const),
  ),
);

describe.each(share(cases))("%s on the %s bridge with %s", (_, bridge, __, subject, source: Source) => {
  test("sends the secret, stores only a fingerprint, shows no changes, and refreshes and deletes without it", async () => {
    const [literal, sourced] = [await newTrial(subject, bridge), await newTrial(subject, bridge)];
    await literal.engine.up(literal.scene.program(literal.first));
    source.put(sourced.first.replace(/\n$/, ""));
    const program = sourced.scene.program(source.written);
    await sourced.engine.up(program);
    const [sent, sentToo] = [takeRequests(literal.scene.world), takeRequests(sourced.scene.world)];
    if (sourced.scene.secret === undefined) expect(withoutEnds(sentToo)).toEqual(withoutEnds(sent));
    expectNoTrace(sourced, sourced.first);
    expect(sourced.engine.readable()).toContain("quarterdeck:sealed:1:");
    expect(await sourced.engine.changes(program)).toBe(false);
    expect(await sourced.engine.up(program)).toBe(false);
    expect(writes(takeRequests(sourced.scene.world))).toEqual([]);
    const state = sourced.engine.state;
    source.remove();
    expect(await sourced.engine.refresh()).toBe(true);
    expect(sourced.engine.state).toEqual(state);
    expectNoTrace(sourced, sourced.first);
    source.put(sourced.first);
    expect(await sourced.engine.changes(program)).toBe(false);
    source.remove();
    await sourced.engine.destroy();
  });

  test("shows a changed secret as a change without printing it, and sends the new value", async () => {
    if (subject.path.startsWith("shares") || subject.path === "mfaCode") return;
    const [literal, sourced] = [await newTrial(subject, bridge), await newTrial(subject, bridge)];
    source.put(sourced.first);
    const program = sourced.scene.program(source.written);
    await literal.engine.up(literal.scene.program(literal.first));
    await sourced.engine.up(program);
    takeRequests(literal.scene.world);
    takeRequests(sourced.scene.world);
    source.put(sourced.second);
    expect(await sourced.engine.changes(program)).toBe(true);
    expect(sourced.engine.messages.join("\n")).toContain(
      `${subject.path}: the value behind ${source.text} has changed`,
    );
    await literal.engine.up(literal.scene.program(literal.second));
    expect(await sourced.engine.up(program)).toBe(true);
    expect(withoutEnds(takeRequests(sourced.scene.world))).toEqual(
      withoutEnds(takeRequests(literal.scene.world)),
    );
    expectNoTrace(sourced, sourced.first, sourced.second);
    expect(await sourced.engine.changes(program)).toBe(false);
    // The result is the same together with another change.
    const edited = sourced.scene.program(source.written, true);
    await literal.engine.up(literal.scene.program(literal.second, true));
    expect(await sourced.engine.up(edited)).toBe(true);
    expect(withoutEnds(takeRequests(sourced.scene.world))).toEqual(
      withoutEnds(takeRequests(literal.scene.world)),
    );
    expectNoTrace(sourced, sourced.first, sourced.second);
    expect(await sourced.engine.refresh()).toBe(true);
    expect(await sourced.engine.changes(edited)).toBe(false);
  });

  test("replaces a plain value by its source, and back, without a write request", async () => {
    const { engine, scene, first } = await newTrial(subject, bridge);
    const written = scene.program(first.replace(/\n$/, ""));
    const program = scene.program(source.written);
    await engine.up(written);
    source.put(first);
    takeRequests(scene.world);
    expect(await engine.up(program)).toBe(true);
    expect(writes(takeRequests(scene.world))).toEqual([]);
    expect(tracesOf(first, engine.readable())).toEqual([]);
    expect(await engine.changes(program)).toBe(false);
    expect(await engine.refresh()).toBe(true);
    expect(await engine.changes(program)).toBe(false);
    expect(await engine.up(written)).toBe(true);
    expect(writes(takeRequests(scene.world))).toEqual([]);
    expect(engine.readable()).not.toContain("quarterdeck:sealed:1:");
    expect(await engine.changes(written)).toBe(false);
    expect(await engine.refresh()).toBe(true);
    expect(await engine.changes(written)).toBe(false);
  });

  const { edit } = subject;
  if (edit !== undefined)
    test("finds and reverts a change by someone else, without either value in the state", async () => {
      const sourced = await newTrial(subject, bridge);
      const { engine, scene, first, second } = sourced;
      source.put(first);
      const program = scene.program(source.written);
      await engine.up(program);
      await edit(scene.world, second);
      source.remove();
      expect(await engine.refresh()).toBe(true);
      expect(engine.messages.join("\n")).toMatch(/changed outside this stack since[\s\S]*\[secret\]/);
      expectNoTrace(sourced, first, second);
      expect(engine.readable()).toContain(JSON.stringify(source.written));
      source.put(first);
      expect(await engine.changes(program)).toBe(true);
      expect(await engine.up(program)).toBe(true);
      expect(await engine.refresh()).toBe(true);
      expect(await engine.changes(program)).toBe(false);
      expectNoTrace(sourced, first, second);
      // Without a refresh it is a conflict, whose message contains neither value.
      await edit(scene.world, second);
      await expect(engine.up(scene.program(source.written, true))).rejects.toThrow(
        /conflict: [\s\S]*\[secret\]/,
      );
      expectNoTrace(sourced, first, second);
    });

  test("fails the check with its path and a remedy if the secret cannot be read", async () => {
    const { engine, scene, first } = await newTrial(subject, bridge);
    const program = scene.program(source.written);
    const expected = [`${subject.path}: ${source.text}: ${source.problem}`];
    expect((await engine.check(program)).failures).toEqual(expected);
    // The message is the same for a resource that is in the state.
    source.put(first);
    await engine.up(program);
    source.remove();
    expect((await engine.check(program)).failures).toEqual(expected);
  });
});

/** The requests without trailing line breaks in their strings. */
function withoutEnds(requests: readonly Json[]): unknown {
  return JSON.parse(JSON.stringify(requests), (_, value) =>
    typeof value === "string" ? value.replace(/\n+$/, "") : value,
  );
}
