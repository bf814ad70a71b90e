import { newSandbox, runCommand, type Sandbox } from "./running";

async function sandboxWithStack(): Promise<Sandbox> {
  const sandbox = newSandbox();
  await runCommand(sandbox, "stack init dev");
  return sandbox;
}

/** The CLI decides by the complete key path and by the randomness of the first 16 characters of the value. */
const SECRET_LOOKING = [
  ["--path quarterdeck:secrets.address http://127.0.0.1:8200", "quarterdeck:secrets.address"],
  ["--path quarterdeck:scheduler.tokenFile /run/credentials/nomad", "quarterdeck:scheduler.tokenFile"],
  ["--path secrets.address http://127.0.0.1:8200", "harbour:secrets.address"],
  ["apiToken 1415fc1f4eaeb5e096ee58c1480016638fff29bf", "harbour:apiToken"],
  ["PASSWD 1415fc1f4eaeb5e0", "harbour:PASSWD"],
] as const;

describe("a plain value that looks like a secret", () => {
  test.each(SECRET_LOOKING)("is rejected: config set %s", async (words, key) => {
    const sandbox = await sandboxWithStack();
    expect(await runCommand(sandbox, `config set ${words} --stack dev`)).toEqual({
      code: expect.any(Number),
      stdout: "",
      stderr:
        `error: config value for '${key}' looks like a secret; ` +
        "rerun with --secret to encrypt it, or --plaintext if you meant to store in plaintext\n",
    });
    expect((await runCommand(sandbox, "config --stack dev --json")).stdout).toBe("{}\n");
  });

  test.each(SECRET_LOOKING)("is stored with --plaintext and with --secret: config set %s", async (words) => {
    const sandbox = await sandboxWithStack();
    for (const flag of ["--plaintext", "--secret"])
      expect(await runCommand(sandbox, `config set ${flag} ${words} --stack dev`)).toMatchObject({ code: 0 });
  });
});

test.each([
  "--path quarterdeck:secrets.dialect real",
  "--path quarterdeck:secrets.namespace team-a",
  "--path quarterdeck:scheduler.address http://127.0.0.1:4646",
  "okay 1415fc1f4eaeb5e096ee58c1480016638fff29bf",
  "token short",
])(
  "a value is stored in plaintext if its key or its length does not suggest a secret: config set %s",
  async (words) => {
    const sandbox = await sandboxWithStack();
    expect(await runCommand(sandbox, `config set ${words} --stack dev`)).toMatchObject({
      code: 0,
      stderr: "",
    });
  },
);

test("`config set-all --plaintext` stores a value that looks like a secret", async () => {
  const sandbox = await sandboxWithStack();
  const words = "--plaintext apiToken=1415fc1f4eaeb5e096ee58c1480016638fff29bf";
  expect(await runCommand(sandbox, `config set-all ${words} --stack dev`)).toMatchObject({ code: 0 });
});
