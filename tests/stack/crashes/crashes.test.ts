import { type Crash, GIVEN, Scene, type Who } from "./scene";

const IS_ALL = process.env.QUARTERDECK_PROPERTIES === "all";

/** A run of the tests crashes the plugin twice; `npm run soak -- properties` crashes each process in every way. */
const SIGNALS: readonly Crash[] = ["SIGKILL", "SIGABRT", "SIGSEGV"];
const HELD: readonly Crash[] = [
  "an exception that contains a request",
  "a rejection that contains a request",
];
const WORDS: readonly Crash[] = [
  "an exception whose message is a secret",
  "a rejection with a value that is not an error",
  "an exception that is a string",
  "invalid JSON",
];
const MEMORY = "out of memory";

const inThePlugin: readonly Crash[] = IS_ALL
  ? [...SIGNALS, ...HELD, ...WORDS, MEMORY]
  : ["SIGABRT", "an exception whose message is a secret"];
/** The dynamic provider host, which belongs to the engine, prints the message of every error. */
const inTheHost: readonly Crash[] = IS_ALL
  ? [...SIGNALS, ...HELD, MEMORY]
  : ["an exception that contains a request"];

// Complete engine commands, on any machine.
jest.setTimeout(600_000);

const cases: readonly (readonly [Who, readonly Crash[]])[] = [
  ["the plugin", inThePlugin],
  ["the dynamic provider host", inTheHost],
];

describe.each(cases)("a crash of %s while it sends secrets", (who, crashes) => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await Scene.open(who);
  });
  afterAll(() => scene.close());

  test.each(crashes)(
    "by %s leaks no secret into output or files, and the next up succeeds",
    async (crash) => {
      await scene.restart();
      // That host survives an uncaught error.
      const isSurvived = who !== "the plugin" && HELD.includes(crash);
      const crashed = await scene.crash(who, crash, isSurvived);
      expect([crashed.isHit, crashed.isHit ? "" : `${crashed.failure}${crashed.output}`]).toEqual([true, ""]);
      if (isSurvived) expect(crashed.output).toContain("it cannot be");
      else expect(crashed.failure).toBeDefined();
      // Directory, account and shares: without generated secrets the search would prove nothing.
      expect((await scene.generated()).length).toBeGreaterThan(3);
      expect(await scene.leaks(crashed.output + crashed.failure)).toEqual([]);
      expect(await scene.stack.up()).toMatchObject({ failure: undefined });
      expect(await scene.leaks(scene.stack.printed)).toEqual([]);
      expect(await scene.held()).toContain(GIVEN.password);
      expect(await scene.stack.destroy()).toMatchObject({ failure: undefined });
    },
  );
});

describe("a crash of a program that waits for a function", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await Scene.open("the program");
  });
  afterAll(() => scene.close());

  // The engine's SDK prints errors completely: ours contain no secret (`tests/core/http/secrets.test.ts`).
  const crashes: readonly Crash[] = IS_ALL ? ["SIGKILL", MEMORY] : ["SIGKILL"];
  test.each(crashes)("by %s does not leak the token into output or files", async (crash) => {
    await scene.restart();
    const crashed = await scene.crash("the program", crash, false);
    expect([crashed.isHit, typeof crashed.failure]).toEqual([true, "string"]);
    expect(await scene.leaks(crashed.output + crashed.failure)).toEqual([]);
    expect(await scene.upByItself()).toMatchObject({ failure: undefined });
  });
});
