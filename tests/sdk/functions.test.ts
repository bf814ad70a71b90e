import * as pulumi from "@pulumi/pulumi";
import { factsOf } from "../../provider/core/language/facts";
import { allFunctions } from "../../provider/functions";
import * as quarterdeck from "../../sdk";
import { type Stub, startStub, TEST_TOKENS } from "../../testing";
import { registered, settled } from "./engine";

let stub: Stub;

beforeEach(async () => {
  stub = await startStub();
  const { addresses } = stub;
  pulumi.runtime.setAllConfig(
    Object.fromEntries(
      (["mesh", "scheduler", "secrets", "workspaces"] as const).map((service) => [
        `quarterdeck:${service}`,
        JSON.stringify({ address: addresses[service], token: TEST_TOKENS[service] }),
      ]),
    ),
  );
});

afterEach(async () => {
  pulumi.runtime.setAllConfig({});
  await stub.stop();
});

const WEB = { kind: "service-defaults", name: "web" };

async function writeEntry(
  entry: object = { Kind: WEB.kind, Name: WEB.name, Protocol: "http" },
): Promise<void> {
  const answer = await fetch(`${stub.addresses.mesh}/v1/config`, {
    method: "PUT",
    headers: { "x-consul-token": TEST_TOKENS.mesh },
    body: JSON.stringify(entry),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Runs a program and returns its output. */
async function outputIn<T>(program: () => pulumi.Output<T>, preview = false) {
  let made: pulumi.Output<T> | undefined;
  await registered(
    () => {
      made = program();
    },
    { preview },
  );
  if (made === undefined) throw new Error("the program made no output");
  return settled(made);
}

const unknown = () => pulumi.output(pulumi.unknown) as unknown as pulumi.Output<string>;

/** Every function of the SDK by its token. */
const exported = new Map<string, unknown>(
  Object.entries(quarterdeck).flatMap(([service, names]) =>
    Object.entries(names).map(([name, made]) => [`${service}:${name}`, made]),
  ),
);

describe("functions of the SDK", () => {
  it("exist for every definition in each of its forms", () => {
    for (const { token, asks, isCredential } of allFunctions()) {
      const [service = ""] = token.split(":");
      expect([token, typeof exported.get(token)]).toEqual([token, isCredential ? "undefined" : "function"]);
      const output = typeof exported.get(`${token}Output`);
      expect([token, output]).toEqual([token, asks.kind === "watch" ? "undefined" : "function"]);
      if (asks.kind === "list") expect(typeof exported.get(`${service}:${asks.each}`)).toBe("function");
    }
  });

  it("return a promise, and use the configuration of the stack", async () => {
    await writeEntry();
    expect(await quarterdeck.mesh.getConfigEntry(WEB)).toMatchObject({ spec: { Protocol: "http" } });
  });

  it("fail with the names of all missing arguments", async () => {
    // A JavaScript program can omit arguments that the types require.
    const nothing = {} as quarterdeck.mesh.GetConfigEntryArgs;
    await expect(quarterdeck.mesh.getConfigEntry(nothing)).rejects.toThrow(
      "mesh.getConfigEntry: missing required arguments kind, name",
    );
  });

  it("return a known output if their arguments are known", async () => {
    await writeEntry();
    const entry = () => quarterdeck.mesh.getConfigEntryOutput({ kind: WEB.kind, name: pulumi.output("web") });
    expect(await outputIn(entry)).toMatchObject({
      value: { spec: { Protocol: "http" } },
      isSecret: false,
      isKnown: true,
    });
    expect(await outputIn(entry, true)).toMatchObject({ isKnown: true });
  });

  it("send no request if their arguments are unknown", async () => {
    await writeEntry();
    await stub.clearRequests();
    const entry = () => quarterdeck.mesh.getConfigEntryOutput({ kind: WEB.kind, name: unknown() });
    expect((await outputIn(entry, true)).isKnown).toBe(false);
    expect(await stub.requests()).toEqual([]);
  });

  it("send no request in a preview if they depend on a resource that is not created yet", async () => {
    await writeEntry();
    await stub.clearRequests();
    const entry = () => {
      const first = new quarterdeck.mesh.ConfigEntry("first", { kind: WEB.kind, name: "first" });
      return quarterdeck.mesh.getConfigEntryOutput(WEB, { dependsOn: first });
    };
    expect((await outputIn(entry, true)).isKnown).toBe(false);
    expect(await stub.requests()).toEqual([]);
  });

  it("return a known output if they depend on a resource that was created", async () => {
    await writeEntry();
    const entry = () => {
      const first = new quarterdeck.mesh.ConfigEntry("first", { kind: WEB.kind, name: "first" });
      return quarterdeck.mesh.getConfigEntryOutput(WEB, { dependsOn: [first] });
    };
    expect((await outputIn(entry)).isKnown).toBe(true);
  });

  it("return a secret output if the result contains a secret", async () => {
    await stub.configure("mesh", { readsCertificates: false });
    await writeEntry({ Kind: "inline-certificate", Name: "tls", Certificate: "c", PrivateKey: "canary" });
    const certificate = () =>
      quarterdeck.mesh.getConfigEntryOutput({ kind: "inline-certificate", name: "tls" });
    expect(await outputIn(certificate)).toMatchObject({
      isSecret: true,
      value: { spec: { PrivateKey: "canary" } },
    });
  });

  it("read credentials only in pulumi up, and return an unknown secret in a preview", async () => {
    const headers = { "x-vault-token": TEST_TOKENS.secrets };
    for (const [path, body] of [
      ["aws/config/root", { access_key: "AKIA", secret_key: "hush" }],
      ["aws/static-roles/ci", { username: "ci", rotation_period: "24h" }],
    ] as const) {
      await fetch(`${stub.addresses.secrets}/v1/${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
    }
    await stub.clearRequests();
    const credentials = () => quarterdeck.secrets.getCloudStaticCredentialsOutput({ name: "ci" });
    expect(await outputIn(credentials, true)).toMatchObject({ isSecret: true, isKnown: false });
    expect(await stub.requests()).toEqual([]);
    const made = await outputIn(credentials);
    expect(made).toMatchObject({
      isSecret: true,
      isKnown: true,
      value: { secretKey: expect.stringMatching(/\S/) },
    });
  });

  it.each([true, false])(
    "that issued credentials fail with the name of the replacing resource (in a preview: %s)",
    async (isPreview) => {
      await stub.clearRequests();
      const { getQueueCredentialsOutput, getCloudCredentialsOutput, getDirectoryCredentialsOutput } =
        quarterdeck.secrets;
      for (const [credentials, resource] of [
        [() => getQueueCredentialsOutput({ name: "app" }), "QueueCredentials"],
        [() => getCloudCredentialsOutput({ name: "app" }), "CloudCredentials"],
        [() => getDirectoryCredentialsOutput({ roleName: "app" }), "DirectoryCredentials"],
      ] as const)
        await expect(outputIn<unknown>(credentials, isPreview)).rejects.toThrow(
          `always fails. Use the resource ${resource},`,
        );
      expect(await stub.requests()).toEqual([]);
    },
  );

  it("yield every change of watched entries", async () => {
    await writeEntry();
    const stop = new AbortController();
    const seen: unknown[] = [];
    for await (const { entries } of quarterdeck.mesh.watchConfigEntries(
      { kind: WEB.kind },
      { signal: stop.signal },
    )) {
      seen.push(entries[0]?.spec);
      if (seen.length === 2) stop.abort();
      else await writeEntry({ Kind: WEB.kind, Name: WEB.name, Protocol: "grpc" });
    }
    expect(seen).toMatchObject([{ Protocol: "http" }, { Protocol: "grpc" }]);
  });

  it("watch a job across a restart of the server that resets its index", async () => {
    const register = async (ID: string, Priority: number) => {
      const Job = { ID, Priority, TaskGroups: [{ Name: "g", Tasks: [{ Name: "t", Driver: "docker" }] }] };
      await fetch(`${stub.addresses.scheduler}/v1/jobs`, {
        method: "POST",
        headers: { "x-nomad-token": TEST_TOKENS.scheduler, connection: "close" },
        body: JSON.stringify({ Job }),
      });
    };
    for (let other = 0; other < 5; other++) await register(`other-${other}`, 50);
    await register("web", 50);
    const stop = new AbortController();
    const seen: unknown[] = [];
    const { signal } = stop;
    // A server that has not reached this index responds at the end of the wait.
    for await (const { job } of quarterdeck.scheduler.watchJob({ jobId: "web", wait: "1s" }, { signal })) {
      // The watch also yields changes that Nomad makes to a job.
      if (job?.Priority === seen.at(-1)) continue;
      seen.push(job?.Priority);
      if (job?.Priority === 50) {
        const { port } = new URL(stub.addresses.scheduler);
        await stub.stop();
        stub = await startStub({ ports: { scheduler: Number(port) } });
        await register("web", 60);
      } else if (job?.Priority === 60) await register("web", 70);
      else if (job?.Priority === 70) stop.abort();
    }
    expect(seen.filter((priority) => priority !== undefined)).toEqual([50, 60, 70]);
  });

  describe("with a filter", () => {
    const { and, selector } = quarterdeck.filter;
    const filterText = 'Type == "batch" and Meta["owner team"] == `say "hi"`';
    const ofType = (type: string) =>
      and(selector("Type").equals(type), selector("Meta", "owner team").equals('say "hi"'));
    const names = ({ jobs }: quarterdeck.scheduler.GetJobsResult) => jobs.map(({ ID }) => ID);

    beforeEach(async () => {
      for (const [ID, Type] of [
        ["web", "service"],
        ["report", "batch"],
      ]) {
        const groups = [{ Name: "g", Tasks: [{ Name: "t", Driver: "docker" }] }];
        const Job = { ID, Type, Meta: { "owner team": 'say "hi"' }, TaskGroups: groups };
        await fetch(`${stub.addresses.scheduler}/v1/jobs`, {
          method: "POST",
          headers: { "x-nomad-token": TEST_TOKENS.scheduler },
          body: JSON.stringify({ Job }),
        });
      }
      await stub.clearRequests();
    });
    afterEach(async () => {
      const asked = await stub.requests({ service: "scheduler" });
      expect(asked.map(({ query }) => query)).toEqual([expect.objectContaining({ filter: filterText })]);
    });

    it("accept it as text", async () => {
      expect(names(await quarterdeck.scheduler.getJobs({ filter: filterText }))).toEqual(["report"]);
    });

    it("accept it as an expression", async () => {
      expect(names(await quarterdeck.scheduler.getJobs({ filter: ofType("batch") }))).toEqual(["report"]);
    });

    it("accept it in an iteration", async () => {
      const seen: unknown[] = [];
      for await (const { ID } of quarterdeck.scheduler.eachJob({ filter: ofType("batch") })) seen.push(ID);
      expect(seen).toEqual(["report"]);
    });

    it.each([
      ["known now", () => ofType("batch")],
      ["known later", () => pulumi.output("batch").apply(ofType)],
    ])("accept it as an output that is %s", async (_, filter) => {
      const found = await outputIn(() => quarterdeck.scheduler.getJobsOutput({ filter: filter() }));
      expect(found).toMatchObject({ isKnown: true, value: { jobs: [{ ID: "report" }] } });
    });
  });

  it("have isFilter set for every argument named filter", () => {
    const filters = allFunctions().flatMap(({ fields }) => (fields.filter ? [fields.filter] : []));
    expect(filters.length).toBeGreaterThanOrEqual(3);
    for (const filter of filters) expect(factsOf(filter)).toMatchObject({ isFilter: true });
  });

  it("fail with the name of the function and the server's response", async () => {
    await expect(quarterdeck.mesh.getConfigEntry(WEB)).rejects.toThrow(
      /^mesh:getConfigEntry: GET \/v1\/config\/service-defaults\/web returned 404/,
    );
  });
});
