import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Stub, startStub, TEST_TOKENS } from "../../testing/stub";
import { chosenEngine } from "../../testing/tests/engine/comparison/engines";

// Complete CLI commands, on any machine.
jest.setTimeout(240_000);

const ROOT = resolve(__dirname, "../..");
const ROLE = "quarterdeck:secrets:QueueRole";

let folder: string;
let stub: Stub;

beforeEach(async () => {
  stub = await startStub();
  folder = mkdtempSync(join(tmpdir(), "quarterdeck-do-"));
  // The CLI writes into the plugin's folder. The plugin needs its packages above that folder, as after an installation.
  cpSync(join(ROOT, "plugin"), join(folder, "plugin"), { recursive: true });
  for (const name of ["dist", "node_modules"]) symlinkSync(join(ROOT, name), join(folder, name));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await stub.stop();
});

/** Runs `pulumi do` with these arguments and additional environment variables. */
function run(args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<string> {
  const env = {
    ...process.env,
    HOME: folder,
    PULUMI_HOME: join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${folder}`,
    PULUMI_CONFIG_PASSPHRASE: "a passphrase of the tests",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    QUARTERDECK_SECRETS_ADDRESS: stub.addresses.secrets,
    QUARTERDECK_SECRETS_TOKEN: TEST_TOKENS.secrets,
    ...more,
  };
  const all = ["do", "--package", join(folder, "plugin"), "--stateless", ...args];
  return new Promise((done, failed) => {
    execFile("pulumi", all, { cwd: folder, env }, (error, stdout, stderr) =>
      error ? failed(new Error(`${stdout}\n${stderr}`)) : done(stdout),
    );
  });
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const idsIn = (printed: string) => JSON.parse(printed).map(({ id }: { id: string }) => id);

/** Only the CLI has this command. */
const onTheCli = chosenEngine() === "cli" ? describe : describe.skip;

onTheCli("pulumi do", () => {
  test("creates, lists, reads, patches and deletes a RabbitMQ role", async () => {
    for (const name of ["a", "b", "c"]) {
      const input = file("role.pcl", `name = "${name}"\ntags = ["monitoring"]\n`);
      await run([ROLE, "create", "--yes", "--input", "pcl", "--input-file", input]);
    }
    expect(idsIn(await run([ROLE, "list", "--count", "2"]))).toEqual(["rabbitmq/a", "rabbitmq/b"]);
    expect(idsIn(await run([ROLE, "list", "--all"]))).toEqual(["rabbitmq/a", "rabbitmq/b", "rabbitmq/c"]);
    const patch = file("patch.pcl", 'tags = ["administrator"]\n');
    await run([ROLE, "patch", "rabbitmq/b", "--yes", "--input", "pcl", "--input-file", patch]);
    expect(JSON.parse(await run([ROLE, "read", "rabbitmq/b", "--output", "json"]))).toEqual({
      id: "rabbitmq/b",
      mount: "rabbitmq",
      name: "b",
      tags: ["administrator"],
      vhosts: {},
      vhostTopics: {},
    });
    await run([ROLE, "delete", "rabbitmq/a", "--yes"]);
    expect(idsIn(await run([ROLE, "list"]))).toEqual(["rabbitmq/b", "rabbitmq/c"]);
  });

  test("prefers the settings of --provider-file to the environment", async () => {
    const input = file("role.pcl", 'name = "a"\ntags = ["monitoring"]\n');
    await run([ROLE, "create", "--yes", "--input", "pcl", "--input-file", input]);
    const read = [ROLE, "read", "rabbitmq/a", "--output", "json", "--input", "pcl"];
    const expired = { QUARTERDECK_SECRETS_TOKEN: "expired" };
    await expect(run(read, expired)).rejects.toThrow("permission denied");
    const settings = file(
      "settings.pcl",
      `secrets = { address = "${stub.addresses.secrets}", token = "${TEST_TOKENS.secrets}" }\n`,
    );
    const found = await run([...read, "--provider-file", settings], expired);
    expect(JSON.parse(found)).toMatchObject({ id: "rabbitmq/a" });
  });
});
