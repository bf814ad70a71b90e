import { drift } from "../../cli/drift";
import type { DriftReport } from "../../cli/drift/report";
import { junitOf } from "../../cli/drift/writers/junit";
import { markdownOf } from "../../cli/drift/writers/markdown";
import { htmlOf } from "../../cli/drift/writers/page/html";
import { SettingsOfState } from "../../cli/state/settings";

const job = {
  urn: "urn:pulumi:dev::shop::quarterdeck:scheduler:Job::web",
  type: "quarterdeck:scheduler:Job",
  id: "default/web",
  custom: true,
  inputs: { json: { ID: "web" } },
  outputs: { json: { ID: "web" }, jobId: "web" },
};
const state = JSON.stringify({ version: 3, deployment: { resources: [job] } });
const secretsOnly = new Map([["quarterdeck:secrets", JSON.stringify({ address: "http://127.0.0.1:1" })]]);

test("a resource without records is reported as unreadable with a remedy, and no request is sent", async () => {
  const report = await drift({ state, configuration: secretsOnly, env: {} });
  expect(report).toMatchObject({ project: "shop", stack: "dev", requests: 0 });
  expect(report.resources).toMatchObject([
    {
      verdict: "unreadable",
      why: expect.stringMatching(/no record of.*cannot be compared.*\n.*pulumi refresh/s),
    },
  ]);
});

describe("the source of a resource's settings", () => {
  const sourceOf = (configuration?: ReadonlyMap<string, string>, inputs: object = {}, own: object[] = []) => {
    const resources = own.map((each) => ({ ...job, name: "", isExternal: false, ignored: [], ...each }));
    const resource = { type: job.type, inputs: { ...inputs }, provider: "p::1" };
    return new SettingsOfState(resources as never, { configuration, env: {} }).of(resource).source;
  };
  const provider = (inputs: object, name: string) => ({
    urn: "p",
    id: "1",
    type: "pulumi:providers:quarterdeck",
    name,
    inputs,
  });

  test("is the environment if the configuration has no settings of the service", () => {
    expect(sourceOf(secretsOnly)).toBe("the environment");
    expect(sourceOf(new Map([...secretsOnly, ["quarterdeck:scheduler", "{}"]]))).toBe(
      "the stack's configuration",
    );
  });

  test("is the stack's configuration if it contains the resource's connection", () => {
    const named = new Map([["quarterdeck:connections", "{}"]]);
    expect(sourceOf(named, { connection: "eu" })).toBe("the stack's configuration");
    expect(sourceOf(named)).toBe("the environment");
  });

  test("is a provider in the state only if the provider has settings of the service", () => {
    expect(sourceOf(undefined, {}, [provider({ scheduler: "{}" }, "eu")])).toBe(
      "the provider eu in the state",
    );
    expect(sourceOf(undefined, {}, [provider({ secrets: "{}" }, "eu")])).toBe("the environment");
    expect(sourceOf(undefined, {}, [provider({ secrets: "{}" }, "default")])).toBe("the environment");
    expect(sourceOf(undefined, {}, [provider({ scheduler: "{}" }, "default")])).toBe(
      "the default provider in the state",
    );
  });
});

test("HTML, Markdown and JUnit reports name the project and the stack", () => {
  const report: DriftReport = {
    project: "shop",
    stack: "dev",
    at: "2030-01-01T00:00:00Z",
    resources: [],
    counts: { unreadable: 0, missing: 0, drifted: 0, ignored: 0, "in sync": 0 },
    requests: 0,
    seconds: 0,
  };
  expect(htmlOf(report)).toContain("<title>Drift of shop/dev: no resources</title>");
  expect(markdownOf(report)).toContain("# Drift of `shop/dev`");
  expect(junitOf(report)).toContain('name="quarterdeck drift shop/dev"');
});
