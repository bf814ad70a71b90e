import { type Crash, GIVEN, Scene, type Who } from "./scene";

const IS_ALL = process.env.QUARTERDECK_LAWS === "all";

/** A run of the tests crashes the plugin twice; `npm run soak -- laws` each process in every way. */
const SIGNALS: readonly Crash[] = ["SIGKILL", "SIGABRT", "SIGSEGV"];
const HELD: readonly Crash[] = ["an exception that holds a request", "a rejection that holds a request"];
const WORDS: readonly Crash[] = [
  "an exception whose words are a secret",
  "a rejection with what is no error",
  "an exception that is a text",
  "JSON that cannot be read",
];
const MEMORY = "no memory";

const inThePlugin: readonly Crash[] = IS_ALL
  ? [...SIGNALS, ...HELD, ...WORDS, MEMORY]
  : ["SIGABRT", "an exception whose words are a secret"];
/** What an error says in the host of dynamic providers, that host prints, which is the engine's. */
const inTheHost: readonly Crash[] = IS_ALL
  ? [...SIGNALS, ...HELD, MEMORY]
  : ["an exception that holds a request"];

// Whole commands of an engine, on whatever machine.
jest.setTimeout(600_000);

const cases: readonly (readonly [Who, readonly Crash[]])[] = [
  ["the plugin", inThePlugin],
  ["the host of dynamic providers", inTheHost],
];

describe.each(cases)("%s, ended with secrets in its hands", (who, crashes) => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await Scene.open(who);
  });
  afterAll(() => scene.close());

  test.each(crashes)("by %s, leaves nothing of them anywhere, and the next up goes on", async (crash) => {
    await scene.restart();
    // That host goes on after an error that nothing caught.
    const isSurvived = who !== "the plugin" && HELD.includes(crash);
    const crashed = await scene.crash(who, crash, isSurvived);
    expect([crashed.isHit, crashed.isHit ? "" : `${crashed.failure}${crashed.output}`]).toEqual([true, ""]);
    if (isSurvived) expect(crashed.output).toContain("it cannot be");
    else expect(crashed.failure).toBeDefined();
    // Directory, account and shares: a sweep that looks for nothing finds nothing.
    expect((await scene.generated()).length).toBeGreaterThan(3);
    expect(await scene.leaks(crashed.output + crashed.failure)).toEqual([]);
    expect(await scene.stack.up()).toMatchObject({ failure: undefined });
    expect(await scene.leaks(scene.stack.printed)).toEqual([]);
    expect(await scene.held()).toContain(GIVEN.password);
    expect(await scene.stack.destroy()).toMatchObject({ failure: undefined });
  });
});

describe("a program that calls a function, ended while it waits", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await Scene.open("the program");
  });
  afterAll(() => scene.close());

  // What its errors carry, the engine's SDK prints whole: those of ours carry no secret (`tests/core/http/secrets.test.ts`).
  const crashes: readonly Crash[] = IS_ALL ? ["SIGKILL", MEMORY] : ["SIGKILL"];
  test.each(crashes)("by %s, leaves nothing of the token anywhere", async (crash) => {
    await scene.restart();
    const crashed = await scene.crash("the program", crash, false);
    expect([crashed.isHit, typeof crashed.failure]).toEqual([true, "string"]);
    expect(await scene.leaks(crashed.output + crashed.failure)).toEqual([]);
    expect(await scene.upByItself()).toMatchObject({ failure: undefined });
  });
});
