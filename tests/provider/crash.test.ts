import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { crashText } from "../../provider/crash";

const CANARY = "a-canary-of-a-secret";
const CRASHING = { name: "the process", known: "something is known.", next: "run it again." };

/** Errors as libraries make them, with a secret in each place that Node prints. */
const thrown: Readonly<Record<string, unknown>> = {
  "its words": new TypeError(`the token ${CANARY} is refused`),
  "its properties": Object.assign(new Error("no"), { headers: { "x-secrets-token": CANARY }, body: CANARY }),
  "its name and code": Object.assign(new Error("no"), { name: CANARY, code: CANARY }),
  "its cause": new Error("no", { cause: Object.assign(new Error(CANARY), { body: CANARY }) }),
  "a class that says it is another": Object.assign(new Error("no"), { constructor: { name: CANARY } }),
  "a text": CANARY,
  "an object": { message: CANARY, stack: CANARY },
  nothing: undefined,
};

test.each(Object.keys(thrown))("what ends a process is told without %s", (name) => {
  const text = crashText(CRASHING, thrown[name]);
  expect(text).not.toContain(CANARY);
  expect(text).toContain("What is known: something is known.");
  expect(text).toContain("What to do: run it again.");
});

test("it is told by its class, its code and its causes", () => {
  const cause = Object.assign(new RangeError("b"), { code: "ECONNRESET" });
  const error = Object.assign(new TypeError("a", { cause }), { code: "ERR_INVALID_ARG_TYPE" });
  expect(crashText(CRASHING, error)).toContain(
    "TypeError ERR_INVALID_ARG_TYPE, caused by RangeError ECONNRESET\n",
  );
});

/** What a process of its own prints, whose last deed is some JavaScript. */
function process(deed: string, before = "") {
  const crash = JSON.stringify(join(__dirname, "../../dist/provider/crash.js"));
  const script = `${before}; const own = require(${crash}); own.crashInSafeWords(${JSON.stringify(CRASHING)}); ${deed}`;
  const { status, stdout, stderr } = spawnSync("node", ["-e", script], { encoding: "utf8" });
  return { status, said: stdout + stderr };
}

test.each([
  ["an exception", `throw Object.assign(new Error("${CANARY}"), { body: "${CANARY}" })`],
  ["a rejection", `Promise.reject({ body: "${CANARY}" })`],
  ["words that look like a place", `throw new Error("no\\n    at ${CANARY} (/${CANARY}.js:1:1)")`],
  ["JSON that cannot be read", `JSON.parse("${CANARY}")`],
])("%s ends a process with these words, and with them alone", (_, deed) => {
  // As `run-plugin` of the engine's SDK does it, and others that start us.
  const { status, said } = process(deed, 'process.on("uncaughtException", console.error)');
  expect(status).toBe(1);
  expect(said).toMatch(/^quarterdeck: the process met an error that nothing in it had foreseen/);
  expect(said).not.toContain(CANARY);
});

test("a place in what is loaded is told, as it is called in its package", () => {
  const deed = 'setImmediate(() => require("@grpc/grpc-js").credentials.createSsl(1))';
  expect(process(deed).said).toMatch(/\n {4}at @grpc\/grpc-js\/build\/src\/\S+\.js:\d+:\d+\n/);
});

const onLinux = globalThis.process.platform === "linux" ? test : test.skip;
onLinux("nothing of its memory goes into a core", () => {
  const deed = 'console.log(require("node:fs").readFileSync("/proc/self/coredump_filter", "utf8"))';
  expect(process(deed)).toMatchObject({ status: 0, said: expect.stringMatching(/^0+\s+$/) });
});

test("nothing of its environment goes into a report of Node's", () => {
  const deed = "console.log(typeof process.report.getReport().environmentVariables)";
  expect(process(deed)).toMatchObject({ status: 0, said: "undefined\n" });
});
