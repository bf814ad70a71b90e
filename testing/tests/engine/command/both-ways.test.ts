import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { StackStore } from "../../../engine/backend/store";
import { SECRETS } from "../recorded";
import { type CommandResult, newSandbox, recordedSandbox, runCommand, type Sandbox } from "./running";

const program = (name: string) => ({ HARBOUR: name });
const stateOf = (sandbox: Sandbox) =>
  JSON.parse(readFileSync(join(sandbox.state, ".pulumi/stacks/harbour/dev.json"), "utf8")).checkpoint.latest;

describe("a stack that the CLI created", () => {
  const first = { environment: program("first") };

  test("shows no changes with the same program", async () => {
    const sandbox = recordedSandbox();
    const { code, stderr } = await runCommand(sandbox, "preview --expect-no-changes --stack dev", first);
    expect([code, stderr]).toEqual([0, ""]);
  }, 60_000);

  test("keeps every resource and ciphertext in an update without changes", async () => {
    const sandbox = recordedSandbox();
    const before = stateOf(sandbox);
    expect((await runCommand(sandbox, "up --yes --skip-preview --stack dev", first)).stdout).toContain(
      "3 unchanged",
    );
    // A position is a place in the program. The recorded program was in a different folder.
    const withoutPosition = ({
      sourcePosition: _,
      stackTrace: __,
      modified: ___,
      ...rest
    }: Record<string, unknown>) => rest;
    expect(stateOf(sandbox).resources.map(withoutPosition)).toEqual(before.resources.map(withoutPosition));
  }, 60_000);

  test("prints its outputs, configuration and history with decrypted secrets", async () => {
    const sandbox = recordedSandbox();
    expect((await runCommand(sandbox, "stack output code --show-secrets --stack dev")).stdout).toBe(
      `${SECRETS.code}\n`,
    );
    expect((await runCommand(sandbox, "config get token --stack dev")).stdout).toBe(`${SECRETS.token}\n`);
    const history = await runCommand(sandbox, "stack history --json --show-secrets --stack dev");
    expect(JSON.parse(history.stdout)[0].config["harbour:nested"].objectValue).toEqual({
      list: [true],
      password: SECRETS.password,
    });
  });

  test("can be destroyed and removed", async () => {
    const sandbox = recordedSandbox();
    const { stdout } = await runCommand(sandbox, "destroy --yes --skip-preview --remove --stack dev", first);
    expect(stdout).toContain("- 3 deleted");
    expect((await runCommand(sandbox, "stack ls --json")).stdout).toBe("[]\n");
  }, 60_000);
});

function cliIsThere(): boolean {
  try {
    execFileSync("pulumi", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function pulumi(sandbox: Sandbox, words: string, environment: Record<string, string> = {}): CommandResult {
  const { status, stdout, stderr } = spawnSync("pulumi", [...words.split(" "), "--non-interactive"], {
    cwd: sandbox.project,
    encoding: "utf8",
    env: { ...process.env, ...sandbox.environment, ...environment },
  });
  return { code: status ?? -1, stdout, stderr };
}

(cliIsThere() ? describe : describe.skip)("with the installed CLI", () => {
  test("the embedded engine and the CLI can alternate on a stack, and neither shows unexpected changes", async () => {
    const sandbox = newSandbox();
    const embedded = async (words: string, name: string) => {
      const answer = await runCommand(sandbox, `${words} --stack dev`, { environment: program(name) });
      expect([words, answer.code, answer.stderr]).toEqual([words, 0, ""]);
      return answer.stdout;
    };
    const cli = (words: string, name = "first") => {
      const answer = pulumi(sandbox, `${words} --stack dev`, program(name));
      expect([words, answer.code]).toEqual([words, 0]);
      return answer.stdout;
    };
    expect((await runCommand(sandbox, "stack init dev")).code).toBe(0);
    await embedded("config set --secret token hidden-5", "first");
    expect(cli("config get token")).toBe("hidden-5\n");
    cli("config set --path --secret deep[0].word hidden-6");
    expect(await embedded("config get --path deep[0].word", "first")).toBe("hidden-6\n");

    await embedded("up --yes --skip-preview", "first");
    cli("preview --expect-no-changes");
    expect(cli("stack output code --show-secrets")).toBe("hidden-2\n");
    cli("up --yes --skip-preview", "second");
    await embedded("preview --expect-no-changes", "second");
    await embedded("up --yes --skip-preview", "replaced");
    cli("refresh --yes --skip-preview --expect-no-changes", "replaced");
    cli("up --yes --skip-preview --expect-no-changes", "replaced");
    expect(JSON.parse(cli("stack history --json")).map((update: { kind: string }) => update.kind)).toEqual([
      "update",
      "refresh",
      "update",
      "update",
      "update",
    ]);
    const exported = cli("stack export --show-secrets");
    expect(await embedded("stack export --show-secrets", "replaced")).toBe(exported);
    await embedded("destroy --yes --skip-preview", "replaced");
    expect(pulumi(sandbox, "stack ls --json").stdout).toContain('"resourceCount": 0');
    cli("destroy --yes --skip-preview --remove");
  }, 240_000);

  test("the CLI respects and cancels a lock of the embedded engine", async () => {
    const sandbox = newSandbox();
    await runCommand(sandbox, "stack init dev");
    const lock = new StackStore(sandbox.state).lock({ project: "harbour", name: "dev" });
    const refused = pulumi(sandbox, "up --yes --skip-preview --stack dev", program("first"));
    expect(refused.stderr).toContain("the stack is currently locked by 1 lock(s)");
    expect(pulumi(sandbox, "cancel --yes --stack dev").code).toBe(0);
    lock.release();
    expect(pulumi(sandbox, "stack rm --yes --stack dev").code).toBe(0);
  }, 60_000);
});
