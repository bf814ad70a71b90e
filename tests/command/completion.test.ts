import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const COMMAND = join(__dirname, "../../cli/quarterdeck.js");

/** The completions of a line with the cursor at its end, as a shell requests them; "files" for names of files. */
function completionsOf(line: string): readonly string[] | "files" {
  const env = {
    ...process.env,
    COMP_LINE: line,
    COMP_POINT: String(line.length),
    COMP_CWORD: "1",
    SHELL: "bash",
  };
  const args = [COMMAND, "completion-server", "--", ...line.split(" ")];
  const printed = execFileSync(process.execPath, args, { encoding: "utf8", env }).trim();
  if (printed === "__tabtab_complete_files__") return "files";
  return printed === "" ? [] : printed.split("\n");
}

test.each<[line: string, expected: readonly string[] | "files"]>([
  ["quarterdeck d", ["doctor", "drift"]],
  ["quarterdeck new --pip", ["--pipelines"]],
  ["quarterdeck new --pipelines ", ["github", "gitlab", "none"]],
  ["quarterdeck new --pipelines git", ["github", "gitlab"]],
  ["quarterdeck new --name ", []],
  ["quarterdeck drift --ju", ["--junit"]],
  ["quarterdeck drift --junit ", "files"],
  ["quarterdeck import -o ", "files"],
  ["quarterdeck completion ", ["bash", "zsh", "fish"]],
  ["quarterdeck completion-s", []],
  ["quarterdeck unknown", []],
])("the completions of %j are %j", (line, expected) => {
  expect(completionsOf(line)).toEqual(expected);
});

test("every command can be completed", () => {
  const commands = ["new", "init", "doctor", "drift", "list", "import", "state", "completion", "help"];
  expect(completionsOf("quarterdeck ")).toEqual(commands);
});

describe("the scripts", () => {
  const folder = mkdtempSync(join(tmpdir(), "completion-"));
  const env = { ...process.env, PATH: folder + delimiter + process.env.PATH };
  beforeAll(() => symlinkSync(COMMAND, join(folder, "quarterdeck")));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The completions that bash offers for these words; the last one is incomplete. */
  function completeInBash(...words: readonly string[]): string[] {
    const line = words.join(" ");
    const script = `eval "$(quarterdeck completion bash)"
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}
COMP_LINE='${line}'; COMP_POINT=${line.length}
_quarterdeck_completion
printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["-c", script], { encoding: "utf8", env }).trim().split("\n");
  }

  test("complete commands and options in bash", () => {
    expect(completeInBash("quarterdeck", "d")).toEqual(["doctor", "drift"]);
    expect(completeInBash("quarterdeck", "drift", "--ju")).toEqual(["--junit"]);
  });

  test("never run a word of the line", () => {
    const canary = join(folder, "canary");
    completeInBash("quarterdeck", `$(touch ${canary})`, "d");
    expect(spawnSync("ls", [canary]).status).not.toBe(0);
  });

  test.each(["zsh", "fish"])("exist for %s", (shell) => {
    const script = execFileSync("quarterdeck", ["completion", shell], { encoding: "utf8", env });
    expect(script).toContain("quarterdeck completion-server");
  });
});
