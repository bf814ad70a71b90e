import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { type Stub, startStub, TEST_TOKENS } from "../../testing";
import { blocksOf, pageAt, ROOT, underHeading } from "./pages";

const run = promisify(execFile);

const [onTheStub = "", onNomad = ""] = blocksOf(underHeading(pageAt("README.md"), "## The first hour"), "sh");

let folder: string;
let stub: Stub;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "first-hour-"));
  stub = await startStub({ dialect: "real" });
  for (const name of ["bin", "state"]) mkdirSync(join(folder, name));
  const quarterdeck = `exec '${process.execPath}' '${join(ROOT, "bin/quarterdeck.js")}'`;
  // What would be fetched is there already; the command that npx runs is the package's own.
  script("npx", `[ "$1" = -p ] && shift 2\n[ "$1" = quarterdeck ] || exit 9\nshift\n${quarterdeck} "$@"`);
  // The stub that `npm run stub` serves on fixed ports is this one, on free ones.
  const moved = `sed -i 's#http://127.0.0.1:4646#${stub.addresses.scheduler}#' Pulumi.dev.yaml`;
  script(
    "npm",
    `case "$*" in\n  install) ln -s '${join(ROOT, "node_modules")}' node_modules ;;\n  "run stub") ${moved} ;;\n  *) exit 9 ;;\nesac`,
  );
  // A person is asked whether to go on, and says yes.
  const engine = `exec '${process.execPath}' '${join(ROOT, "testing/dist/engine/bin.js")}'`;
  script("pulumi", `[ "$*" = up ] && set -- up --yes --skip-preview\n${engine} "$@"`);
});
afterEach(async () => {
  await stub.stop();
  rmSync(folder, { recursive: true, force: true });
});

function script(name: string, text: string): void {
  writeFileSync(join(folder, "bin", name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

/** Types the lines into a shell, in a folder in which there was nothing; all that was printed. */
async function typed(lines: string): Promise<string> {
  const env = {
    ...process.env,
    PATH: [join(folder, "bin"), process.env.PATH].join(delimiter),
    PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "first",
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    NOMAD_ADDR: stub.addresses.scheduler,
    NOMAD_TOKEN: TEST_TOKENS.scheduler,
  };
  return run("sh", ["-e", "-c", lines], { cwd: folder, env }).then(
    ({ stdout, stderr }) => stdout + stderr,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `failed: ${stdout}${stderr}`,
  );
}

const jobs = async () => {
  const headers = { "x-nomad-token": TEST_TOKENS.scheduler };
  const answer = await fetch(`${stub.addresses.scheduler}/v1/jobs`, { headers });
  return ((await answer.json()) as { ID: string }[]).map(({ ID }) => ID);
};

test("the README's first hour is six lines to a first resource on the stub", async () => {
  expect(onTheStub.trim().split("\n").length).toBeLessThanOrEqual(6);
  expect(await typed(onTheStub)).toMatch(/\+ 2 created/);
  expect(await jobs()).toEqual(["web"]);
}, 120_000);

test("its next lines are a first resource on a server of one's own", async () => {
  const made = onTheStub.split("\n").slice(0, 3).join("\n");
  // A stub's token ends never, but doctor has more to say of a machine without the CLI: that is no failure of the lines.
  const lines = onNomad.replace(/^(npx quarterdeck doctor).*$/m, "$1 || true");
  const printed = await typed(`${made}\n${lines}`);
  expect(printed).toMatch(/dialect +address|address, dialect/);
  expect(printed).toMatch(/\+ 2 created/);
  expect(await jobs()).toEqual(["web"]);
  const settings = readFileSync(join(folder, "shop/Pulumi.production.yaml"), "utf8");
  expect(settings).toContain("dialect: real");
  expect(settings).not.toContain(TEST_TOKENS.scheduler);
}, 120_000);
