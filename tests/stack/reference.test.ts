import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import ts from "typescript";
import * as quarterdeck from "../../sdk";
import { type Stub, startStub } from "../../testing/stub";
import { INITIAL_SHARES } from "../../testing/stub/services/secrets/rekey/records";
import { CERTIFICATE, PRIVATE_KEY } from "../../testing/tests/stub/mesh-certificate";
import { blocksOf } from "../docs/pages";
import { consoleOn, TOKENS } from "./console";
import { TestStack } from "./stack";

const folder = join(__dirname, "../../docs/reference");

/** The program on each resource's page. */
const programs = readdirSync(folder)
  .filter((file) => /^[a-z]+-[A-Z]\w+\.md$/.test(file))
  .map((file) => {
    const [program = ""] = blocksOf(readFileSync(join(folder, file), "utf8"), "ts");
    return [file.replace(/\.md$/, "").replace("-", ":"), program] as const;
  });

/** The stack configuration that the programs read. */
const CONFIG: Readonly<Record<string, string>> = {
  webCertificate: CERTIFICATE,
  webPrivateKey: PRIVATE_KEY,
  cloudAccessKey: "AKIA",
  chatWebhook: "https://hooks.example.com/payments",
  recoveryShares: JSON.stringify(INITIAL_SHARES.slice(0, 3)),
};

/** Engines that the pages assume to be configured. */
const ENGINES: readonly (readonly [path: string, body: object])[] = [
  [
    "rabbitmq/config/connection",
    { connection_uri: "http://broker:15672", username: "admin", password: "hush" },
  ],
  ["aws/config/root", { access_key: "AKIA", secret_key: "hush" }],
  ["ldap/config", { binddn: "cn=admin", bindpass: "hush" }],
  ["ldap/corp/config", { binddn: "cn=admin", bindpass: "hush" }],
];

const MOUNTS = { rabbitmq: "queue", aws: "cloud", ldap: "directory" } as const;

/** More that the pages assume: a region, a namespace with engines, an engine at another mount, an organization. */
const WORLD = {
  scheduler: { seed: { tokens: { [TOKENS.scheduler]: { management: true } }, regions: ["east"] } },
  secrets: {
    seed: {
      tokens: { [TOKENS.secrets]: {} },
      namespaces: {
        "": { mounts: { ...MOUNTS, "ldap/corp": "directory" } },
        team: {},
        "team/shop": { mounts: MOUNTS },
      },
    },
  },
  workspaces: {
    seed: {
      organizations: {
        acme: {},
        harbour: {
          oauthTokens: {
            "ot-hmAyP66qk2AMVdbJ": { serviceProvider: "github", clientName: "code", url: "https://x" },
          },
          githubAppInstallations: ["ghain-BYrbNeGQ8nAzKouu"],
        },
      },
      tokens: {
        [TOKENS.workspaces]: { user: "olga", organizations: { acme: ["owners"], harbour: ["owners"] } },
      },
    },
  },
};

/** The files that some pages upload. Programs run in the folder of the repository. */
const UPLOADED = [
  "release/terraform-provider-harbor_1.4.0_SHA256SUMS",
  "release/terraform-provider-harbor_1.4.0_SHA256SUMS.sig",
  "release/terraform-provider-harbor_1.4.0_linux_amd64.zip",
  "routing/main.tf",
].map((path) => join(__dirname, "../..", path));

beforeAll(() => {
  for (const file of UPLOADED) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `the content of ${file}`);
  }
});
afterAll(() => {
  for (const file of UPLOADED) rmSync(dirname(file), { recursive: true, force: true });
});

/** Pages that configure an engine themselves. */
const OF_ENGINES = ["secrets:CloudRoot", "secrets:DirectoryConfig", "secrets:QueueConnection"];

/** Compiles a program's text to an inline program. */
function programIn(text: string): pulumi.automation.PulumiFn {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const modules: Readonly<Record<string, unknown>> = {
    "@pulumi/pulumi": pulumi,
    "pulumi-quarterdeck": quarterdeck,
  };
  const run = new Function("require", "exports", outputText);
  return async () => {
    const exported: Record<string, unknown> = {};
    run((name: string) => modules[name], exported);
    return exported;
  };
}

describe.each(programs)("the example program of %s", (token, text) => {
  let stub: Stub;
  let stack: TestStack;
  beforeAll(async () => {
    stub = await startStub(WORLD);
    stack = await TestStack.open({}, { stub });
    const ask = consoleOn(stub);
    if (!OF_ENGINES.includes(token))
      for (const [path, body] of ENGINES) await ask("secrets", "POST", `/v1/${path}`, body);
    for (const [, , name = ""] of text.matchAll(/config\.(\w+)(?:<[^>]*>)?\("(\w+)"\)/g))
      await stack.stack.setConfig(name, { value: CONFIG[name] ?? `hush-${name}`, secret: true });
  });
  afterAll(async () => {
    await stack.close();
    await stub.stop();
  });

  test("can be created unchanged, then shows no changes, and can be destroyed", async () => {
    const up = await stack.up(programIn(text));
    expect(up.failure).toBeUndefined();
    const made = up.changes.create ?? 0;
    expect(made).toBeGreaterThan(1);
    expect(await stack.preview()).toMatchObject({ failure: undefined, changes: { same: made } });
    expect(await stack.refresh()).toMatchObject({ failure: undefined, changes: { same: made } });
    expect(await stack.preview()).toMatchObject({ failure: undefined, changes: { same: made } });
    expect(await stack.destroy()).toMatchObject({ failure: undefined, changes: { delete: made } });
  }, 120_000);
});

const ofFunctions = readdirSync(folder)
  .filter((file) => file.endsWith("-functions.md"))
  .flatMap((file) => blocksOf(readFileSync(join(folder, file), "utf8"), "ts"));

test("the programs on the pages of functions run unchanged, and their exported functions can be called", async () => {
  expect(ofFunctions.length).toBeGreaterThan(2);
  const stack = await TestStack.open();
  try {
    const job = { ID: "web", Meta: { team: "shop", "owner team": "shop" }, TaskGroups: [] };
    const tasks = [{ Name: "server", Driver: "docker" }];
    await consoleOn(stack.stub)("scheduler", "POST", "/v1/jobs", {
      Job: { ...job, TaskGroups: [{ Name: "front", Tasks: tasks }] },
    });
    await consoleOn(stack.stub)("secrets", "POST", "/v1/identity/entity", { name: "carol" });
    await consoleOn(stack.stub)("secrets", "POST", "/v1/identity/group", { name: "support" });
    const outputs = [{ name: "example.com", value: "zone-1", sensitive: false }];
    await stack.stub.seed("workspaces", {
      workspaces: [{ organization: "acme", name: "dns-zones", outputs }],
    });
    for (const text of ofFunctions) {
      const run = programIn(text);
      const answered: unknown[] = [];
      const up = await stack.up(async () => {
        const exported = (await run()) as Record<string, unknown>;
        for (const [name, value] of Object.entries(exported)) {
          if (typeof value !== "function") continue;
          answered.push(await value("shop", AbortSignal.timeout(1000)));
          delete exported[name];
        }
        return exported;
      });
      expect(up.failure).toBeUndefined();
      const made = up.changes.create ?? 0;
      expect(answered.length + Object.keys(up.outputs).length + made).toBeGreaterThan(0);
    }
  } finally {
    await stack.close();
  }
}, 120_000);

test("every page of a resource contains a program that creates a resource", () => {
  expect(programs.filter(([, text]) => !text.includes("new quarterdeck."))).toEqual([]);
  expect(programs.length).toBeGreaterThan(40);
});
