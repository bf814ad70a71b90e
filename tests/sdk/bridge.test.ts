import * as pulumi from "@pulumi/pulumi";
import { catalog } from "../../provider/catalog";
import { fieldsOf } from "../../provider/core/language/fields";
import { isWritable } from "../../provider/core/language/role";
import { VERSION } from "../../provider/version";
import * as quarterdeck from "../../sdk";
import { resourceRegistration as registration } from "../../sdk/runtime/registration";
import { registered, secretly, settled } from "./engine";

const job = { ID: "web", TaskGroups: [{ Name: "front" }] };
const DYNAMIC = "pulumi-nodejs:dynamic/quarterdeck/scheduler:Job";
const PLUGIN = "quarterdeck:scheduler:Job";

/** An explicit provider of the Pulumi SDK. */
class Explicit extends pulumi.ProviderResource {}

/** Sets quarterdeck:bridge in the configuration of the stack. */
const setBridge = (value?: string) =>
  pulumi.runtime.setAllConfig(value ? { "quarterdeck:bridge": value } : {});

afterEach(() => setBridge());

describe("quarterdeck:bridge", () => {
  it.each([
    [undefined, DYNAMIC, PLUGIN],
    ["dynamic", DYNAMIC, PLUGIN],
    ["plugin", PLUGIN, DYNAMIC],
  ])("with the value %s sets the type and the alias of a resource", async (value, type, other) => {
    setBridge(value);
    const [web] = await registered(() => new quarterdeck.scheduler.Job("web", { json: job }));
    expect(web?.type).toBe(type);
    expect(quarterdeck.scheduler.Job.__pulumiType).toBe(type);
    const kind = {
      token: "scheduler:Job",
      inputs: [],
      required: [],
      outputs: [],
      secrets: [],
      secretMembers: {},
    };
    const [own, , , { aliases, version }] = registration(kind, "web", {}, undefined);
    expect([own, aliases]).toEqual([type, [{ type: other }]]);
    expect(version).toBe(value === "plugin" ? VERSION : undefined);
  });

  it("rejects any other value with an error that contains the command to set it", () => {
    setBridge("plugins");
    expect(() => new quarterdeck.scheduler.Job("web", { json: job })).toThrow(
      'quarterdeck:bridge is "plugins", but must be plugin or dynamic: pulumi config set quarterdeck:bridge plugin',
    );
  });

  it("does not affect isInstance", async () => {
    const made: unknown[] = [];
    for (const bridge of ["dynamic", "plugin"]) {
      setBridge(bridge);
      await registered(() => made.push(new quarterdeck.scheduler.Job("web", { json: job })));
    }
    expect(made.map(quarterdeck.scheduler.Job.isInstance)).toEqual([true, true]);
    expect(made.map(quarterdeck.mesh.ConfigEntry.isInstance)).toEqual([false, false]);
  });
});

describe("resource with the plugin", () => {
  beforeEach(() => setBridge("plugin"));

  it("is registered with exactly the program's inputs, with secret properties marked", async () => {
    const [entry, method] = await registered(() => {
      new quarterdeck.mesh.ConfigEntry(
        "a",
        { kind: "inline-certificate", name: "web", spec: { Certificate: "c", PrivateKey: "canary" } },
        { ignoreChanges: ["spec.Certificate"] },
      );
      new quarterdeck.secrets.MfaMethod("b", { orgName: pulumi.secret("harbour"), apiToken: "canary" });
    });
    expect(entry?.inputs).toEqual({
      kind: "inline-certificate",
      name: "web",
      spec: secretly({ Certificate: "c", PrivateKey: "canary" }),
    });
    expect(method?.inputs).toEqual({ orgName: secretly("harbour"), apiToken: secretly("canary") });
  });

  it("marks an output or promise with a secret member as secret, and leaves strings to the provider", async () => {
    const certificate = { Certificate: "plain", PrivateKey: "canary" };
    for (const spec of [
      pulumi.output(certificate),
      Promise.resolve({ Inner: [certificate] }),
      JSON.stringify(certificate),
    ]) {
      const [entry] = await registered(
        () => new quarterdeck.mesh.ConfigEntry("web", { kind: "inline-certificate", name: "web", spec }),
      );
      expect(entry?.inputs.spec).toEqual(typeof spec === "string" ? spec : secretly(expect.anything()));
    }
  });

  it("accepts the options that only the plugin supports", async () => {
    const options = {
      import: "default/web",
      replaceOnChanges: ["json"],
      customTimeouts: { create: "1h" },
      version: "0.0.9",
    };
    const [web] = await registered(() => new quarterdeck.scheduler.Job("web", { json: job }, options));
    expect(web?.inputs).toEqual({ json: job });
    const kind = {
      token: "scheduler:Job",
      inputs: [],
      required: [],
      outputs: [],
      secrets: [],
      secretMembers: {},
    };
    expect(registration(kind, "web", {}, options)[3]).toMatchObject(options);
  });

  it("is read by its ID, without inputs", async () => {
    const [web] = await registered(() => quarterdeck.scheduler.Job.get("web", "default/web"));
    expect(web).toEqual({ type: PLUGIN, name: "web", id: "default/web", inputs: {} });
  });

  it("is registered with the explicit provider of its options, whose tokens are marked as secret", async () => {
    let provider: quarterdeck.Provider | undefined;
    const made = await registered(() => {
      provider = new quarterdeck.Provider("eu", {
        scheduler: { address: "https://eu:4646", token: "canary" },
        connections: { west: { mesh: { address: "https://west:8500", token: pulumi.output("canary") } } },
      });
      new quarterdeck.scheduler.Job("web", { json: job }, { provider });
    });
    const [eu, web] = made;
    expect(eu).toMatchObject({ type: "pulumi:providers:quarterdeck", name: "eu" });
    expect(eu?.inputs.scheduler).toEqual(secretly({ address: "https://eu:4646", token: "canary" }));
    const west = { mesh: { address: "https://west:8500", token: "canary" } };
    expect(eu?.inputs.connections).toEqual(secretly({ west }));
    expect(web?.provider).toContain("pulumi:providers:quarterdeck::eu::");
    expect(quarterdeck.Provider.isInstance(provider)).toBe(true);
    expect([undefined, {}, web].some(quarterdeck.Provider.isInstance)).toBe(false);
  });
});

describe("options that require the plugin", () => {
  const advice =
    /requires the plugin: run npx quarterdeck init, which configures the plugin and sets quarterdeck:bridge to plugin/;

  it("are rejected by name on the dynamic bridge", () => {
    expect(() => new quarterdeck.Provider("eu")).toThrow(/^Provider "eu" requires the plugin/);
    expect(() => new quarterdeck.Provider("eu")).toThrow(advice);
    const provider = new Explicit("quarterdeck", "eu");
    const make = () => new quarterdeck.scheduler.Job("web", { json: job }, { provider });
    expect(make).toThrow(/^scheduler\.Job "web": the option provider requires the plugin/);
    expect(() => quarterdeck.scheduler.getJobOutput({ jobId: "web" }, { provider })).toThrow(
      /^scheduler\.getJob: the option provider requires the plugin/,
    );
  });

  it("do not include a provider of another package", async () => {
    const provider = new Explicit("random", "r");
    const made = await registered(() => new quarterdeck.scheduler.Job("web", { json: job }, { provider }));
    expect(made.map(({ type }) => type)).toContain(DYNAMIC);
  });
});

describe("preview on the dynamic bridge", () => {
  /** Returns an output in a preview. Without the SDK, outputs of an updated object are unknown. */
  async function knownIn<R extends pulumi.CustomResource>(
    id: string | undefined,
    make: () => R,
    outputOf: (resource: R) => pulumi.Output<unknown>,
  ) {
    let output: pulumi.Output<unknown> | undefined;
    await registered(
      () => {
        output = outputOf(make());
      },
      { preview: true, ...(id !== undefined && { ids: () => id }) },
    );
    return output && settled(output);
  }
  const workspace = () => new quarterdeck.workspaces.Workspace("app", { name: "app" });

  it.each([
    ["ws-1", "ws-1"],
    ["eu:ws-1", "ws-1"],
  ])("takes outputs that are part of the ID from the ID %s", async (id, workspaceId) => {
    expect(await knownIn(id, workspace, (app) => app.workspaceId)).toMatchObject({
      value: workspaceId,
      isKnown: true,
    });
    const web = () => new quarterdeck.scheduler.Job("web", { json: job });
    expect(await knownIn("eu:dc%2F1/w%2Fb", web, (made) => made.jobId)).toMatchObject({
      value: "w/b",
      isKnown: true,
    });
  });

  it("leaves outputs unknown if there is no ID, or if they are not part of it", async () => {
    expect(await knownIn(undefined, workspace, (app) => app.workspaceId)).toMatchObject({ isKnown: false });
    expect(await knownIn("ws-1", workspace, (app) => app.createdAt)).toMatchObject({ isKnown: false });
    const web = () => new quarterdeck.scheduler.Job("web", { json: job });
    expect(await knownIn("web", web, (made) => made.jobId)).toMatchObject({ isKnown: false });
  });

  it("knows every output that is part of an ID, for all resources", async () => {
    const known: string[] = [];
    for (const load of Object.values(catalog)) {
      const { token, where, life } = load();
      const [service = "", type = ""] = token.split(":");
      const parts: readonly string[] = where.id.template.match(/(?<={)[^}]+/g) ?? [];
      const own = fieldsOf(load()).filter(({ name, facts }) => parts.includes(name) && !isWritable(facts));
      if (life.kind !== "object" || own.length === 0) continue;
      const Made = Reflect.get(Reflect.get(quarterdeck, service), type);
      const address = Object.fromEntries(parts.map((part) => [part, part]));
      const realms = where.id.realm === undefined ? [undefined] : [undefined, "a/b"];
      const ids = realms.flatMap((realm) =>
        [undefined, "eu"].map((eu) => where.id.format(address, eu, realm)),
      );
      for (const [{ name }, id] of own.flatMap((field) => ids.map((each) => [field, each] as const))) {
        const output = await knownIn(
          undefined,
          () => Made.get("r", id),
          (made) => Reflect.get(made, name),
        );
        expect(output).toMatchObject({ value: name, isKnown: true });
        known.push(`${token}.${name}`);
      }
    }
    expect([...new Set(known)]).toEqual([
      "workspaces:Workspace.workspaceId",
      "workspaces:Variable.variableId",
      "workspaces:Project.projectId",
      "workspaces:AgentPool.agentPoolId",
      "workspaces:SshKey.sshKeyId",
      "workspaces:GpgKey.keyId",
      "workspaces:VariableSet.variableSetId",
      "workspaces:OauthClient.oauthClientId",
      "workspaces:RunTrigger.runTriggerId",
      "workspaces:NotificationConfiguration.notificationConfigurationId",
      "workspaces:Team.teamId",
      "workspaces:VariableSetVariable.variableId",
      "workspaces:TeamAccess.teamAccessId",
      "scheduler:Job.jobId",
      "scheduler:AclRole.roleId",
      "scheduler:HostVolume.volumeId",
      "scheduler:HostVolumeRegistration.volumeId",
      "scheduler:AclToken.accessorId",
      "secrets:Mount.accessor",
      "secrets:AuthMethod.accessor",
      "secrets:MfaMethod.methodId",
      "secrets:Entity.entityId",
      "secrets:EntityAlias.aliasId",
      "secrets:Group.groupId",
      "secrets:GroupAlias.aliasId",
      "mesh:AclPolicy.policyId",
      "mesh:AclRole.roleId",
    ]);
  });
});

describe("function", () => {
  it("is invoked through the plugin, with the provider of its options", async () => {
    setBridge("plugin");
    const asked: pulumi.runtime.MockCallArgs[] = [];
    let later: pulumi.Output<unknown> | undefined;
    let now: unknown;
    await registered(
      async () => {
        const provider = new quarterdeck.Provider("eu");
        now = await quarterdeck.scheduler.getJob({ jobId: "web" });
        later = quarterdeck.scheduler.getJobOutput({ jobId: pulumi.output("web") }, { provider });
      },
      { call: (args) => ({ job: { ID: asked.push(args) } }) },
    );
    if (later === undefined) throw new Error("the program asked nothing");
    expect(now).toEqual({ job: { ID: 1 } });
    expect((await settled(later)).value).toEqual({ job: { ID: 2 } });
    expect(asked.map(({ token, inputs }) => [token, inputs])).toEqual([
      ["quarterdeck:scheduler:getJob", { jobId: "web" }],
      ["quarterdeck:scheduler:getJob", { jobId: "web" }],
    ]);
    expect(asked.map(({ provider }) => provider?.includes("::eu::") ?? false)).toEqual([false, true]);
  });

  it("rejects a missing required argument", async () => {
    setBridge("plugin");
    const nothing = {} as quarterdeck.scheduler.GetJobArgs;
    await expect(quarterdeck.scheduler.getJob(nothing)).rejects.toThrow(
      "scheduler.getJob: missing required argument jobId",
    );
  });
});
