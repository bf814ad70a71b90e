import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { blocksOf, pageAt, ROOT } from "./pages";

const run = promisify(execFile);

const programs = blocksOf(pageAt("docs/testing.md"), "ts");
const tests = programs.join("\n").match(/^test\(/gm)?.length ?? 0;

test("every test on the pages about testing compiles and passes unchanged in a new project", async () => {
  const folder = mkdtempSync(join(tmpdir(), "shown-"));
  try {
    const project = join(folder, "shop");
    execFileSync(process.execPath, [join(ROOT, "cli/quarterdeck.js"), "new", "mesh", project]);
    symlinkSync(join(ROOT, "node_modules"), join(project, "node_modules"), "junction");
    for (const [at, text] of programs.entries())
      writeFileSync(join(project, `test/shown${at}.test.ts`), text);
    const env = { ...process.env, PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
    const { stdout } = await run("npm", ["test"], { cwd: project, env });
    expect(tests).toBeGreaterThan(2);
    // Plus the template's own test.
    expect(stdout).toMatch(new RegExp(`^. pass ${tests + 1}$`, "m"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 240_000);
