import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newSandbox, recordedSandbox, runCommand } from "./running";

describe("unsupported features are rejected, and the message names them", () => {
  test.each([
    ["login", '"login"'],
    ["import --yes", '"import"'],
    ["plugin install resource aws 1.0.0", '"install"'],
    ["install", '"install"'],
    ["policy ls", '"policy"'],
    ["state delete urn", '"state"'],
    ["config env add base --yes", '"env"'],
    ["config env ls --json", '"env"'],
    ["stack graph out.dot", '"graph"'],
    ["stack rename other", '"rename"'],
    ["stack change-secrets-provider x", '"change-secrets-provider"'],
    ["org get-default", '"org"'],
    ["preview extra", '"extra"'],
  ])("unknown command: pulumi %s", async (words, name) => {
    const { code, stdout, stderr } = await runCommand(newSandbox(), words);
    expect(stderr).toMatch(/^error: unknown command ".*; the embedded engine has none\n$/);
    expect(stderr).toContain(name);
    expect([code, stdout]).toEqual([1, ""]);
  });

  test.each([
    ["up --yes --policy-pack p", "--policy-pack"],
    ["up --yes --policy-pack-config p", "--policy-pack-config"],
    ["up --yes --plan p", "--plan"],
    ["up --yes --exclude urn", "--exclude"],
    ["up --yes --exclude-dependents", "--exclude-dependents"],
    ["up --yes --attach-debugger", "--attach-debugger"],
    ["up --yes --config a=b", "--config"],
    ["up --yes -c a=b", "-c"],
    ["up --yes --remote", "--remote"],
    ["up --yes --logflow", "--logflow"],
    ["up --yes --verbose 3", "--verbose"],
    ["up --yes --tracing file:x", "--tracing"],
    ["up --expect-nothing", "--expect-nothing"],
    ["preview --save-plan p", "--save-plan"],
    ["preview --import-file f", "--import-file"],
    ["preview --json", "--json"],
    ["preview --help", "--help"],
    ["refresh --yes --exclude urn", "--exclude"],
    ["refresh --yes --import-pending-creates x", "--import-pending-creates"],
    ["destroy --yes --exclude-protected", "--exclude-protected"],
    ["stack ls --tag owner", "--tag"],
    ["stack export --version 2", "--version"],
    ["config --show-secrets get key", "--show-secrets"],
    ["config set --type bool a true", "--type"],
    ["--cwd . --profiling p version", "--profiling"],
  ])("unsupported flag: pulumi %s", async (words, flag) => {
    const { code, stdout, stderr } = await runCommand(newSandbox(), words);
    expect(stderr).toMatch(
      /^error: the embedded engine does not serve the flag .*; use the Pulumi CLI for it\n$/,
    );
    expect(stderr).toContain(` ${flag} of 'pulumi`);
    expect([code, stdout]).toEqual([2, ""]);
  });

  test.each([
    ["up --yes --skip-preview --run-program --stack dev", "--run-program"],
    ["up --yes --skip-preview --continue-on-error --stack dev", "--continue-on-error"],
    ["stack init x --secrets-provider awskms://alias/x", "the secrets provider awskms://alias/x"],
    ["--color always version", "--color always"],
  ])("unsupported option: pulumi %s", async (words, what) => {
    const { code, stderr } = await runCommand(recordedSandbox(), words);
    expect(stderr).toContain(`does not serve ${what}`);
    expect(code).not.toBe(0);
  });

  test.each([
    ["plugins:\n  analyzers: []", "'plugins: analyzers'"],
    ["plugins:\n  providers: [{ name: x, path: y, version: 1.0.0 }]", "'version' of a plugin"],
    ["packages:\n  x: y", "'packages'"],
    ["options:\n  refresh: always", "'options'"],
    ["config:\n  word:\n    default: x\n    secret: true", "the secret 'word'"],
  ])("Pulumi.yaml with %j", async (text, what) => {
    const sandbox = newSandbox();
    writeFileSync(join(sandbox.project, "Pulumi.yaml"), `name: harbour\nruntime: nodejs\n${text}\n`);
    expect((await runCommand(sandbox, "stack ls")).stderr).toContain(`does not serve ${what} in`);
  });

  test("a project in another language is rejected only if its program must run", async () => {
    const sandbox = recordedSandbox();
    writeFileSync(join(sandbox.project, "Pulumi.yaml"), "name: harbour\nruntime: python\n");
    expect((await runCommand(sandbox, "stack ls")).code).toBe(0);
    expect((await runCommand(sandbox, "preview --stack dev")).stderr).toContain(
      "does not serve the runtime python",
    );
  });

  test("a backend that is not a file URL", async () => {
    const { stderr } = await runCommand(newSandbox(), "stack ls", {
      environment: { PULUMI_BACKEND_URL: "s3://bucket" },
    });
    expect(stderr).toContain("does not serve the backend s3://bucket");
  });
});

describe("command line errors", () => {
  test.each([
    ["config get", "accepts 1 arg(s), received 0"],
    ["config get a b", "accepts 1 arg(s), received 2"],
    ["config set a b c", "accepts at most 2 arg(s), received 3"],
    ["config rm-all", "accepts at least 1 arg(s), received 0"],
    ["up --yes --parallel many --stack dev", 'invalid argument "many" for "--parallel" flag'],
    ["up --yes=perhaps", 'invalid argument "perhaps" for "--yes" flag'],
    ["up --message", "flag needs an argument: --message"],
    ["stack tag", 'a command is missing after "pulumi stack tag"'],
  ])("pulumi %s exits with 1 and prints the error", async (words, message) => {
    const { code, stderr } = await runCommand(recordedSandbox(), words);
    expect(stderr).toBe(`error: ${message}\n`);
    expect(code).toBe(1);
  });

  test("a missing project file is reported with the folder where the search started", async () => {
    const sandbox = newSandbox();
    const { stderr } = await runCommand(sandbox, "stack init dev", { workingDirectory: sandbox.folder });
    expect(stderr).toContain(`no Pulumi.yaml project file found (searching upwards from ${sandbox.folder})`);
  });

  test("a missing backend is reported with the settings that define it", async () => {
    const { stderr } = await runCommand(newSandbox(), "stack ls", {
      environment: { PULUMI_BACKEND_URL: "" },
    });
    expect(stderr).toContain("set PULUMI_BACKEND_URL to file://<folder>, or backend.url in Pulumi.yaml");
  });
});

describe("position of flags and source of settings", () => {
  test.each([
    "config get plain --stack dev --json",
    "--non-interactive config --stack dev get --json plain",
    "-C . config get -s dev -j plain",
    "config get --stack=dev --json=true -- plain",
  ])("accepts flags anywhere: pulumi %s", async (words) => {
    expect(await runCommand(recordedSandbox(), words)).toEqual({
      code: 0,
      stdout: '{\n  "value": "text",\n  "secret": false\n}\n',
      stderr: "",
    });
  });

  test("--cwd is the folder in which the project is found", async () => {
    const sandbox = recordedSandbox();
    const { stdout } = await runCommand(sandbox, `--cwd ${sandbox.project} config get plain --stack dev`, {
      workingDirectory: sandbox.folder,
    });
    expect(stdout).toBe("text\n");
  });

  test("uses the backend of Pulumi.yaml if the environment sets none", async () => {
    const sandbox = recordedSandbox();
    writeFileSync(
      join(sandbox.project, "Pulumi.yaml"),
      "name: harbour\nruntime: nodejs\nbackend:\n  url: file://../state\n",
    );
    const { stdout } = await runCommand(sandbox, "stack ls", { environment: { PULUMI_BACKEND_URL: "" } });
    expect(stdout).toContain("dev");
  });
});

describe("a wrong passphrase", () => {
  const environment = { PULUMI_CONFIG_PASSPHRASE: "wrong" };
  const inState =
    "failed to decrypt: incorrect passphrase, please set PULUMI_CONFIG_PASSPHRASE to the correct passphrase " +
    "or set PULUMI_CONFIG_PASSPHRASE_FILE to a file containing the passphrase";

  test.each([
    ["config get token", "incorrect passphrase"],
    ["config --show-secrets", "incorrect passphrase"],
    ["config set --secret a b", "incorrect passphrase"],
    ["preview", "getting stack configuration: get stack secrets manager: incorrect passphrase"],
    ["stack output --show-secrets", inState],
    ["stack export --show-secrets", inState],
    ["stack history --json --show-secrets", "decrypting secrets: incorrect passphrase"],
  ])("is rejected with the CLI's message by pulumi %s", async (words, message) => {
    const { code, stdout, stderr } = await runCommand(recordedSandbox(), `${words} --stack dev`, {
      environment,
    });
    expect(stderr).toBe(`error: ${message}\n`);
    expect([code, stdout]).toEqual([1, ""]);
  });

  test.each(["config", "stack output", "stack export", "stack history --json", "stack ls"])(
    "is not checked by pulumi %s, which prints no secret",
    async (words) => {
      const { code, stdout } = await runCommand(
        recordedSandbox(),
        words === "stack ls" ? words : `${words} --stack dev`,
        { environment },
      );
      expect(code).toBe(0);
      expect(stdout).not.toContain("hidden-");
    },
  );
});
