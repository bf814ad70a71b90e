import diagnosis from "../../cli/doctor/diagnosis";
import { givenServer } from "./servers/server";

const server = givenServer();
const SERVICES: Readonly<Record<string, string>> = {
  nomad: "scheduler",
  bao: "secrets",
  otfd: "workspaces",
  consul: "mesh",
};

if (server === undefined) {
  test.skip("the doctor needs a real server", () => undefined);
} else {
  const { address, token, program } = server;
  const service = SERVICES[program] ?? "";
  const findingsFor = async (settings: object) => {
    const all = {
      address,
      dialect: "real",
      ...(service === "workspaces" && { organization: "acme" }),
      ...settings,
    };
    const configuration = new Map([[`quarterdeck:${service}`, JSON.stringify(all)]]);
    const { findings } = await diagnosis({ configuration, env: {}, folder: __dirname, node: ">=22.19" });
    expect(JSON.stringify(findings)).not.toContain(token);
    return findings.filter(({ about }) => about === service);
  };

  test(`the doctor reports a failure only for a wrong token (${server.version})`, async () => {
    const correct = await findingsFor({ token });
    expect(correct.filter(({ status }) => status === "FAIL")).toEqual([]);
    const names = correct.flatMap((finding) => (finding.status === "OK" ? [finding.what] : []));
    expect(names).toEqual(
      expect.arrayContaining(["settings", "address", "reached", "clock", "reads", "dialect"]),
    );
    // The doctor checks the token and the version of every server except otfd.
    if (program !== "otfd") expect(names).toEqual(expect.arrayContaining(["token", "version"]));
    console.log(
      correct.map((finding) => `${finding.what}: ${finding.status}: ${finding.message}`).join("\n"),
    );
    const wrong = await findingsFor({ token: "00000000-0000-0000-0000-000000000000" });
    expect(wrong.filter(({ status }) => status === "FAIL").length).toBeGreaterThan(0);
  });

  test(`the doctor reports a wrong dialect with the command that sets it (${server.version})`, async () => {
    const neutral = await findingsFor({ token, dialect: "neutral" });
    const failures = neutral.filter(({ status }) => status === "FAIL");
    expect(failures.map(({ command }) => command)).toEqual(
      expect.arrayContaining([
        expect.stringContaining(`pulumi config set --path --plaintext 'quarterdeck:${service}.dialect' real`),
      ]),
    );
  });
}
