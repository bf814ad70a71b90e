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
const KEEPING = {
  fromEnv: {
    written: { fromEnv: VARIABLE },
    text: `fromEnv("${VARIABLE}")`,
    put: (secret: string) => {
      process.env[VARIABLE] = secret;
    },
    take: () => {
      delete process.env[VARIABLE];
    },
    lacks: `the environment variable ${VARIABLE} is not set: set it where the engine runs`,
  },
  fromFile: {
    written: { fromFile: FILE },
    text: `fromFile(${JSON.stringify(FILE)})`,
    put: (secret: string) => writeFileSync(FILE, `${secret}\n`),
    take: () => unlinkSync(FILE),
    lacks: `the file ${JSON.stringify(FILE)} cannot be read (ENOENT): have it written, or correct the path, which leads from the program's folder`,
  },
} as const;

afterEach(() => {
  delete process.env[VARIABLE];
  rmSync(FILE, { force: true });
});

const CANARIES = ["canary-of-the-first-secret-4711", "canary-of-another-secret-0815"] as const;

type Keeping = (typeof KEEPING)[keyof typeof KEEPING];

/** One secret field with its scene and its engine on one of the bridges. */
interface Tried {
  readonly scene: SecretScene;
  readonly engine: Engine;
  readonly first: string;
  readonly second: string;
}

async function tried(subject: SecretSubject, bridge: keyof typeof engines): Promise<Tried> {
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
function asked({ requests }: World): Json[] {
  return requests
    .splice(0)
    .map(({ method, path, query = {}, body = null }: HttpRequest) =>
      JSON.parse(`[${JSON.stringify([method, path, query])},${formatJson(body)}]`).flat(),
    );
}

const writes = (requests: readonly Json[]) =>
  requests.filter((one) => !/^\["(GET|LIST)"/.test(JSON.stringify(one)));

/** The public half of the key, which is also part of its certificate. */
const PUBLIC = CERTIFICATE.replace(/\s/g, "");

/** The fragments of a secret that a text contains. */
function tracesOf(secret: string, text: string): readonly string[] {
  return runsOf(secret.trim(), text).filter((run) => !PUBLIC.includes(run.replace(/\s/g, "")));
}

/** Neither the state nor any message contains a fragment of the secrets. */
function expectNoTrace({ engine }: Tried, ...secrets: readonly string[]): void {
  for (const text of [engine.readable(), engine.said.join("\n")])
    for (const secret of secrets) expect(tracesOf(secret, text)).toEqual([]);
}

const cases = secretSubjects.flatMap((subject) =>
  (["dynamic", "plugin"] as const).flatMap((bridge) =>
    Object.entries(KEEPING).map(([kind, keeping]) => [subject.name, bridge, kind, subject, keeping] as const),
  ),
);

describe.each(share(cases))("%s on the %s bridge with %s", (_, bridge, __, subject, keeping: Keeping) => {
  test("sends the secret, stores only a fingerprint, shows no changes, and refreshes and deletes without it", async () => {
    const [plainly, kept] = [await tried(subject, bridge), await tried(subject, bridge)];
    await plainly.engine.up(plainly.scene.program(plainly.first));
    keeping.put(kept.first.replace(/\n$/, ""));
    const program = kept.scene.program(keeping.written);
    await kept.engine.up(program);
    const [sent, sentToo] = [asked(plainly.scene.world), asked(kept.scene.world)];
    if (kept.scene.secret === undefined) expect(withoutEnds(sentToo)).toEqual(withoutEnds(sent));
    expectNoTrace(kept, kept.first);
    expect(kept.engine.readable()).toContain("quarterdeck:sealed:1:");
    expect(await kept.engine.changes(program)).toBe(false);
    expect(await kept.engine.up(program)).toBe(false);
    expect(writes(asked(kept.scene.world))).toEqual([]);
    const state = kept.engine.state;
    keeping.take();
    expect(await kept.engine.refresh()).toBe(true);
    expect(kept.engine.state).toEqual(state);
    expectNoTrace(kept, kept.first);
    keeping.put(kept.first);
    expect(await kept.engine.changes(program)).toBe(false);
    keeping.take();
    await kept.engine.destroy();
  });

  test("shows a changed secret as a change without printing it, and sends the new value", async () => {
    if (subject.path.startsWith("shares") || subject.path === "mfaCode") return;
    const [plainly, kept] = [await tried(subject, bridge), await tried(subject, bridge)];
    keeping.put(kept.first);
    const program = kept.scene.program(keeping.written);
    await plainly.engine.up(plainly.scene.program(plainly.first));
    await kept.engine.up(program);
    asked(plainly.scene.world);
    asked(kept.scene.world);
    keeping.put(kept.second);
    expect(await kept.engine.changes(program)).toBe(true);
    expect(kept.engine.said.join("\n")).toContain(
      `${subject.path}: the value behind ${keeping.text} is another one`,
    );
    await plainly.engine.up(plainly.scene.program(plainly.second));
    expect(await kept.engine.up(program)).toBe(true);
    expect(withoutEnds(asked(kept.scene.world))).toEqual(withoutEnds(asked(plainly.scene.world)));
    expectNoTrace(kept, kept.first, kept.second);
    expect(await kept.engine.changes(program)).toBe(false);
    // The same holds together with another change.
    const edited = kept.scene.program(keeping.written, true);
    await plainly.engine.up(plainly.scene.program(plainly.second, true));
    expect(await kept.engine.up(edited)).toBe(true);
    expect(withoutEnds(asked(kept.scene.world))).toEqual(withoutEnds(asked(plainly.scene.world)));
    expectNoTrace(kept, kept.first, kept.second);
    expect(await kept.engine.refresh()).toBe(true);
    expect(await kept.engine.changes(edited)).toBe(false);
  });

  test("replaces a plain value by its source, and back, without a write request", async () => {
    const { engine, scene, first } = await tried(subject, bridge);
    const written = scene.program(first.replace(/\n$/, ""));
    const program = scene.program(keeping.written);
    await engine.up(written);
    keeping.put(first);
    asked(scene.world);
    expect(await engine.up(program)).toBe(true);
    expect(writes(asked(scene.world))).toEqual([]);
    expect(tracesOf(first, engine.readable())).toEqual([]);
    expect(await engine.changes(program)).toBe(false);
    expect(await engine.refresh()).toBe(true);
    expect(await engine.changes(program)).toBe(false);
    expect(await engine.up(written)).toBe(true);
    expect(writes(asked(scene.world))).toEqual([]);
    expect(engine.readable()).not.toContain("quarterdeck:sealed:1:");
    expect(await engine.changes(written)).toBe(false);
    expect(await engine.refresh()).toBe(true);
    expect(await engine.changes(written)).toBe(false);
  });

  const { edit } = subject;
  if (edit !== undefined)
    test("finds and reverts a change by someone else, without either value in the state", async () => {
      const kept = await tried(subject, bridge);
      const { engine, scene, first, second } = kept;
      keeping.put(first);
      const program = scene.program(keeping.written);
      await engine.up(program);
      await edit(scene.world, second);
      keeping.take();
      expect(await engine.refresh()).toBe(true);
      expect(engine.said.join("\n")).toMatch(/changed since it was last read[\s\S]*\[secret\]/);
      expectNoTrace(kept, first, second);
      expect(engine.readable()).toContain(JSON.stringify(keeping.written));
      keeping.put(first);
      expect(await engine.changes(program)).toBe(true);
      expect(await engine.up(program)).toBe(true);
      expect(await engine.refresh()).toBe(true);
      expect(await engine.changes(program)).toBe(false);
      expectNoTrace(kept, first, second);
      // Without a refresh it is a conflict, whose message contains neither value.
      await edit(scene.world, second);
      await expect(engine.up(scene.program(keeping.written, true))).rejects.toThrow(
        /conflict: [\s\S]*\[secret\]/,
      );
      expectNoTrace(kept, first, second);
    });

  test("fails the check with its path and a remedy if the secret cannot be read", async () => {
    const { engine, scene, first } = await tried(subject, bridge);
    const program = scene.program(keeping.written);
    const lacking = [`${subject.path}: ${keeping.text}: ${keeping.lacks}`];
    expect((await engine.check(program)).failures).toEqual(lacking);
    // The message is the same for a resource that is in the state.
    keeping.put(first);
    await engine.up(program);
    keeping.take();
    expect((await engine.check(program)).failures).toEqual(lacking);
  });
});

/** The requests without trailing line breaks in their strings. */
function withoutEnds(requests: readonly Json[]): unknown {
  return JSON.parse(JSON.stringify(requests), (_, value) =>
    typeof value === "string" ? value.replace(/\n+$/, "") : value,
  );
}
