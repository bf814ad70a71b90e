import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { run } from "../../../engine/command/run";
import { FIXTURES, PASSPHRASE, temporaryFolder } from "../recorded";

/** A command line, its exit code and its output. */
interface Line {
  readonly words: readonly string[];
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Every command that needs no program, in an order that gives each command some output. */
const COMMANDS: readonly (readonly string[])[] = [
  ["stack", "ls", "--json"],
  ["stack", "ls"],
  ["whoami"],
  ["whoami", "--json"],
  ["stack", "select", "--stack", "dev"],
  ["stack", "init", "dev"],
  ["stack", "init", "dev"],
  ["stack", "init", "somebody/dev"],
  ["stack", "select", "nowhere"],
  ["stack", "select", "organization/harbour/dev"],
  ["stack", "--show-name"],
  ["config"],
  ["config", "--json"],
  ["config", "set", "plain", "text"],
  ["config", "set", "number", "12"],
  ["config", "set", "--secret", "token", "hidden"],
  ["config", "set", "--path", "a.list[0]", "true"],
  ["config", "set", "--path", "a.list[1]", "text"],
  ["config", "set", "--path", "a.list[3]", "beyond"],
  ["config", "set", "--path", "a.list[0].deeper", "no"],
  ["config", "set", "--path", 'a["any name"]', "7"],
  ["config", "set", "--path", "--secret", "a.password", "hidden"],
  ["config", "set", "--path", "[0]", "1"],
  ["config", "set", "--path", "a[", "1"],
  ["config", "set", "--plaintext", "--secret", "x", "y"],
  ["config", "set", "dashed", "--plaintext", "--non-interactive", "--", "--value"],
  ["config", "set", "aws:region", "north"],
  ["config", "set", "a:b:c", "x"],
  ["config", "set", "x", "y", "--stack", "nowhere"],
  ["config", "set-all", "--stack", "dev", "--plaintext", "one=1", "--secret", "two=a=b", "--path"],
  ["config", "set-all", "--path", "--plaintext", "m.n=5", "--plaintext", "m.o[0]=x"],
  [
    "config",
    "set-all",
    "--json",
    '{"harbour:j":{"value":"{\\"x\\":1}","objectValue":{"x":1},"secret":false}}',
  ],
  ["config", "set-all", "--json", '{"harbour:k":{"value":"v","secret":true}}'],
  ["config", "set-all", "--json", "{}", "--plaintext", "a=b"],
  ["config", "get", "plain"],
  ["config", "get", "plain", "--json"],
  ["config", "get", "token"],
  ["config", "get", "token", "--json", "--stack", "dev"],
  ["config", "get", "--path", "a.list[1]"],
  ["config", "get", "--path", "a.password", "--json"],
  ["config", "get", "a", "--json"],
  ["config", "get", "two"],
  ["config", "get", "dashed"],
  ["config", "get", "nowhere"],
  ["config", "get", "--path", "a.nowhere"],
  ["config"],
  ["config", "--json"],
  ["config", "--show-secrets"],
  ["config", "--show-secrets", "--json", "--stack", "dev"],
  ["config", "rm", "plain"],
  ["config", "rm", "plain"],
  ["config", "rm", "--path", "a.list[0]"],
  ["config", "rm-all", "one", "two", "j", "--stack", "dev"],
  ["config", "rm-all", "--path", "m.n", "a.password"],
  ["config", "--json"],
  ["stack", "tag", "ls", "--json"],
  ["stack", "tag", "set", "owner", "ida"],
  ["stack", "tag", "set", "tier", "3"],
  ["stack", "tag", "get", "owner"],
  ["stack", "tag", "get", "nowhere"],
  ["stack", "tag", "ls", "--json"],
  ["stack", "tag", "rm", "tier"],
  ["stack", "tag", "rm", "owner"],
  ["stack", "tag", "ls", "--json"],
  ["stack", "output"],
  ["stack", "output", "--json"],
  ["stack", "output", "nowhere"],
  ["stack", "output", "--json", "--shell"],
  ["stack", "history"],
  ["stack", "history", "--json"],
  ["stack", "export"],
  ["stack", "import", "--file", "deployment.json"],
  ["stack", "output"],
  ["stack", "output", "--json"],
  ["stack", "output", "--json", "--show-secrets"],
  ["stack", "output", "plan"],
  ["stack", "output", "code"],
  ["stack", "output", "code", "--show-secrets"],
  ["stack", "output", "plan", "--json"],
  ["stack", "output", "--shell"],
  ["stack", "ls", "--json"],
  ["stack", "export", "--show-secrets"],
  ["stack", "rm", "dev", "--yes"],
  ["stack", "init", "third"],
  ["stack", "import", "--file", "deployment.json"],
  ["stack", "rm", "dev"],
  ["stack", "rm", "dev", "--yes", "--force"],
  ["stack", "rm", "dev", "--yes", "--stack", "dev"],
  ["cancel", "--yes", "--stack", "dev"],
  ["destroy"],
  ["stack", "init", "other"],
  ["stack", "ls", "--json"],
  ["stack", "rm", "dev", "--yes", "--force"],
  ["stack", "rm", "other", "--yes", "--preserve-config"],
  ["stack", "unselect"],
  ["stack"],
  ["config"],
];

function sandbox() {
  const folder = temporaryFolder();
  const [project, state] = [join(folder, "project"), join(folder, "state")];
  mkdirSync(project);
  mkdirSync(state);
  writeFileSync(join(project, "Pulumi.yaml"), "name: harbour\nruntime: nodejs\n");
  copyFileSync(join(FIXTURES, "state", "exported.json"), join(project, "deployment.json"));
  const environment = {
    PULUMI_BACKEND_URL: `file://${state}`,
    PULUMI_CONFIG_PASSPHRASE: PASSPHRASE,
    PULUMI_HOME: join(folder, "home"),
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
  return { folder, project, environment };
}

/** The text without parts that differ between runs, between machines, or by design. */
function portable(folder: string, text: string): string {
  return (
    text
      .replaceAll(folder, "/folder")
      // Before the short strings, which a ciphertext can contain by chance.
      .replaceAll(/v1:[\w+/=]+:[\w+/=]+(:[\w+/=]+)*/g, "<ciphertext>")
      .replaceAll(hostname(), "<host>")
      .replaceAll(new RegExp(`(?<=^|"user": ")${userInfo().username}(?=$|")`, "gm"), "<user>")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
      .replaceAll(/(?<="magic": ")[0-9a-f]+/g, "<magic>")
      .replaceAll(/v3\.260\.0(\+embedded)?/g, "<version>")
      .replaceAll(/(?<=^(dev|other)\*? +)(now|<time>) +/gm, "<ago> ")
      .replaceAll(/^Run 'pulumi.*\n/gm, "")
  );
}

async function onEmbedded(): Promise<Line[]> {
  const { folder, project, environment } = sandbox();
  const lines: Line[] = [];
  for (const words of COMMANDS) {
    const said = { stdout: "", stderr: "" };
    const code = await run(words, {
      environment,
      workingDirectory: project,
      console: {
        out: (text) => {
          said.stdout += text;
        },
        error: (text) => {
          said.stderr += text;
        },
      },
    });
    lines.push({ words, code, stdout: portable(folder, said.stdout), stderr: portable(folder, said.stderr) });
  }
  return lines;
}

function onCli(): Line[] {
  const { folder, project, environment } = sandbox();
  return COMMANDS.map((words) => {
    // A flag after `--` is an argument.
    const at = words.includes("--") ? words.indexOf("--") : words.length;
    const { status, stdout, stderr } = spawnSync("pulumi", words.toSpliced(at, 0, "--non-interactive"), {
      cwd: project,
      encoding: "utf8",
      env: { ...process.env, ...environment },
    });
    return { words, code: status ?? -1, stdout: portable(folder, stdout), stderr: portable(folder, stderr) };
  });
}

function cliIsThere(): boolean {
  try {
    execFileSync("pulumi", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const RECORDED = join(FIXTURES, "transcript.json");
if (!existsSync(RECORDED) && cliIsThere()) {
  test("records the output of the CLI", () => {
    writeFileSync(RECORDED, `${JSON.stringify(onCli(), null, 1)}\n`);
  }, 600_000);
}

const recorded = (): Line[] => JSON.parse(readFileSync(RECORDED, "utf8"));

test("every command prints the same output as the recorded CLI", async () => {
  const lines = await onEmbedded();
  expect(lines).toEqual(recorded());
});

(cliIsThere() ? test : test.skip)(
  "the installed CLI prints the same output as the recorded CLI",
  () => {
    expect(onCli()).toEqual(recorded());
  },
  600_000,
);
