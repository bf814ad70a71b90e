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
  test.skip("no server is looked at: none was started", () => undefined);
} else {
  const { address, token, program } = server;
  const service = SERVICES[program] ?? "";
  const found = async (settings: object) => {
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

  test(`a doctor finds nothing to do on ${server.version}, and a wrong token on it`, async () => {
    const well = await found({ token });
    expect(well.filter(({ status }) => status === "FAIL")).toEqual([]);
    const what = well.flatMap((finding) => (finding.status === "OK" ? [finding.what] : []));
    expect(what).toEqual(
      expect.arrayContaining(["settings", "address", "reached", "clock", "reads", "dialect"]),
    );
    // What else its programs tell of themselves.
    if (program !== "otfd") expect(what).toEqual(expect.arrayContaining(["token", "version"]));
    console.log(well.map((finding) => `${finding.what}: ${finding.status}: ${finding.message}`).join("\n"));
    const wrong = await found({ token: "00000000-0000-0000-0000-000000000000" });
    expect(wrong.filter(({ status }) => status === "FAIL").length).toBeGreaterThan(0);
  });

  test(`a doctor wants the dialect of ${server.version}`, async () => {
    const neutral = await found({ token, dialect: "neutral" });
    const left = neutral.filter(({ status }) => status === "FAIL");
    expect(left.map(({ command }) => command)).toEqual(
      expect.arrayContaining([
        expect.stringContaining(`pulumi config set --path --plaintext 'quarterdeck:${service}.dialect' real`),
      ]),
    );
  });
}
