import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { crashText } from "../../provider/crash";

const CANARY = "a-canary-of-a-secret";
const CRASHING = { name: "the process", known: "something is known.", next: "run it again." };

/** Errors like those of libraries, with a secret in each place that Node prints. */
const thrown: Readonly<Record<string, unknown>> = {
  "its message": new TypeError(`the token ${CANARY} is refused`),
  "its properties": Object.assign(new Error("no"), { headers: { "x-secrets-token": CANARY }, body: CANARY }),
  "its name and code": Object.assign(new Error("no"), { name: CANARY, code: CANARY }),
  "its cause": new Error("no", { cause: Object.assign(new Error(CANARY), { body: CANARY }) }),
  "a false class name": Object.assign(new Error("no"), { constructor: { name: CANARY } }),
  "a string": CANARY,
  "an object": { message: CANARY, stack: CANARY },
  undefined: undefined,
};

test.each(Object.keys(thrown))("crashText contains no secret of a thrown value: %s", (name) => {
  const text = crashText(CRASHING, thrown[name]);
  expect(text).not.toContain(CANARY);
  expect(text).toContain("Known outcome: something is known.");
  expect(text).toContain("Next step: run it again.");
});

test("crashText contains the class, code and causes of the error", () => {
  const cause = Object.assign(new RangeError("b"), { code: "ECONNRESET" });
  const error = Object.assign(new TypeError("a", { cause }), { code: "ERR_INVALID_ARG_TYPE" });
  expect(crashText(CRASHING, error)).toContain(
    "TypeError ERR_INVALID_ARG_TYPE, caused by RangeError ECONNRESET\n",
  );
});

/** Runs JavaScript in a separate process; returns its exit status and output. */
function run(code: string, before = "") {
  const crash = JSON.stringify(join(__dirname, "../../dist/provider/crash.js"));
  const script = `${before}; const own = require(${crash}); own.crashInSafeWords(${JSON.stringify(CRASHING)}); ${code}`;
  const { status, stdout, stderr } = spawnSync("node", ["-e", script], { encoding: "utf8" });
  return { status, output: stdout + stderr };
}

test.each([
  ["an exception", `throw Object.assign(new Error("${CANARY}"), { body: "${CANARY}" })`],
  ["a rejection", `Promise.reject({ body: "${CANARY}" })`],
  ["a message that looks like a stack frame", `throw new Error("no\\n    at ${CANARY} (/${CANARY}.js:1:1)")`],
  ["a JSON parse error", `JSON.parse("${CANARY}")`],
])("%s makes the process exit with the crash text only", (_, code) => {
  // `run-plugin` of the Pulumi SDK and other hosts install this handler.
  const { status, output } = run(code, 'process.on("uncaughtException", console.error)');
  expect(status).toBe(1);
  expect(output).toMatch(/^quarterdeck: the process stopped because of an unexpected error/);
  expect(output).not.toContain(CANARY);
});

test("the crash text contains the stack frame of a package, with the file's path in the package", () => {
  const code = 'setImmediate(() => require("@grpc/grpc-js").credentials.createSsl(1))';
  expect(run(code).output).toMatch(/\n {4}at @grpc\/grpc-js\/build\/src\/\S+\.js:\d+:\d+\n/);
});

const onLinux = globalThis.process.platform === "linux" ? test : test.skip;
onLinux("a core dump of the process contains no memory", () => {
  const code = 'console.log(require("node:fs").readFileSync("/proc/self/coredump_filter", "utf8"))';
  expect(run(code)).toMatchObject({ status: 0, output: expect.stringMatching(/^0+\s+$/) });
});

test("a diagnostic report of Node contains no environment variables", () => {
  const code = "console.log(typeof process.report.getReport().environmentVariables)";
  expect(run(code)).toMatchObject({ status: 0, output: "undefined\n" });
});
