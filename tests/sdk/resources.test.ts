import * as pulumi from "@pulumi/pulumi";
import { catalog } from "../../provider/catalog";
import { ASIDE_PROPERTY } from "../../provider/core/bridge/engineValues";
import { fieldsOf } from "../../provider/core/language/fields";
import { isWritable } from "../../provider/core/language/role";
import * as quarterdeck from "../../sdk";
import { registered, secretly, settled } from "./engine";

const job = { ID: "web", TaskGroups: [{ Name: "front" }] };

const { filter: _, Provider: __, OnConflict: ___, ...services } = quarterdeck;

/** Every class of the SDK by its token, without the enumerations. */
const classes = new Map<string, unknown>(
  Object.entries(services).flatMap(([service, types]) =>
    Object.entries(types)
      .filter(([name, made]) => /^[A-Z]/.test(name) && typeof made === "function")
      .map(([name, made]) => [`${service}:${name}`, made] as const),
  ),
);

describe("resource of the SDK", () => {
  it("exists for every definition", () => {
    expect([...classes.keys()].sort()).toEqual(Object.keys(catalog).sort());
  });

  it("is registered with the dynamic type, the program's inputs and the provider text", async () => {
    const [web] = await registered(() => new quarterdeck.scheduler.Job("web", { json: job, purge: true }));
    expect(web?.type).toBe("pulumi-nodejs:dynamic/quarterdeck/scheduler:Job");
    expect(web?.inputs).toEqual({
      json: job,
      purge: true,
      __provider: expect.stringContaining('("scheduler:Job")'),
    });
  });

  it("has the values that the service sets as outputs", async () => {
    let web: quarterdeck.scheduler.Job | undefined;
    await registered(
      () => {
        web = new quarterdeck.scheduler.Job("web", { json: job });
      },
      { answers: { jobId: "web", jobModifyIndex: "12" } },
    );
    if (web === undefined) throw new Error("the program made no job");
    expect(await settled(web.jobModifyIndex)).toEqual({ value: "12", isSecret: false, isKnown: true });
    expect(await settled(web.json)).toEqual({ value: job, isSecret: false, isKnown: true });
    expect(await settled(web.namespace)).toEqual({ value: undefined, isSecret: false, isKnown: true });
  });

  it("has unknown outputs in a preview", async () => {
    let web: quarterdeck.scheduler.Job | undefined;
    const program = () => {
      web = new quarterdeck.scheduler.Job("web", { json: job });
    };
    await registered(program, { preview: true });
    if (web === undefined) throw new Error("the program made no job");
    expect((await settled(web.jobModifyIndex)).isKnown).toBe(false);
    expect((await settled(web.json)).isKnown).toBe(true);
  });

  it("rejects missing required properties and names all of them", () => {
    // A JavaScript program can omit properties that the types require.
    const nothing = {} as quarterdeck.mesh.ConfigEntryArgs;
    expect(() => new quarterdeck.mesh.ConfigEntry("web", nothing)).toThrow(
      'mesh.ConfigEntry "web": missing required properties kind, name',
    );
    const unnamed = { kind: "mesh" } as quarterdeck.mesh.ConfigEntryArgs;
    expect(() => new quarterdeck.mesh.ConfigEntry("web", unnamed)).toThrow(
      'mesh.ConfigEntry "web": missing required property name',
    );
  });

  it("requires exactly the properties that its definition requires", () => {
    for (const [token, load] of Object.entries(catalog)) {
      const needed = fieldsOf(load()).filter(({ required, facts }) => required && isWritable(facts));
      // Every class of the SDK is made with a name and its properties.
      const Made = classes.get(token) as new (name: string, args: object) => unknown;
      for (const { name } of needed) {
        const others = needed.filter((field) => field.name !== name).map((field) => [field.name, "x"]);
        expect(() => new Made("r", Object.fromEntries(others))).toThrow(`missing required property ${name}`);
      }
    }
  });

  it("passes unknown properties to the provider's check", async () => {
    const args = { json: job, purgue: true };
    const [web] = await registered(() => new quarterdeck.scheduler.Job("web", args));
    expect(web?.inputs.purgue).toBe(true);
  });

  it("rejects the option import with an error that contains the alternatives", () => {
    expect(() => new quarterdeck.scheduler.Job("web", { json: job }, { import: "default/web" })).toThrow(
      /dynamic providers do not support the option import: .* adopt: true; .* scheduler\.Job\.get\(name, id\)/,
    );
  });

  it("rejects the option replaceOnChanges with an error that contains the alternative", () => {
    const make = (replaceOnChanges: string[]) =>
      new quarterdeck.scheduler.Job("web", { json: job }, { replaceOnChanges });
    expect(() => make(["json"])).toThrow(
      /scheduler\.Job "web": dynamic providers do not support the option replaceOnChanges, .* deleteBeforeReplace: true and run pulumi up --replace/,
    );
  });

  it("passes customTimeouts as timeouts, which timeouts of the program override", async () => {
    const customTimeouts = { create: "1h30m", update: "1.5s", delete: "2m" };
    const timeouts = pulumi.output({ update: 7 });
    const made = await registered(() => {
      new quarterdeck.scheduler.Job("web", { json: job }, { customTimeouts });
      new quarterdeck.scheduler.Job("api", { json: job, timeouts }, { customTimeouts });
      new quarterdeck.scheduler.Job("db", { json: job }, { customTimeouts: {} });
    });
    expect(Object.fromEntries(made.map(({ name, inputs }) => [name, inputs.timeouts]))).toEqual({
      web: { create: 5400, update: 1.5, delete: 120 },
      api: { create: 5400, update: 7, delete: 120 },
      db: undefined,
    });
  });

  it.each(["1d", "5 minutes", ""])("rejects %j as a timeout", (create) => {
    expect(() => new quarterdeck.scheduler.Job("web", { json: job }, { customTimeouts: { create } })).toThrow(
      `customTimeouts.create: ${JSON.stringify(create)} is not a duration; write a duration such as "90s"`,
    );
  });

  it("is recognized by isInstance, even if another copy of the package created it", async () => {
    let web: quarterdeck.scheduler.Job | undefined;
    await registered(() => {
      web = new quarterdeck.scheduler.Job("web", { json: job });
    });
    expect(quarterdeck.scheduler.Job.isInstance(web)).toBe(true);
    expect(quarterdeck.mesh.ConfigEntry.isInstance(web)).toBe(false);
    expect(
      quarterdeck.scheduler.Job.isInstance({ __pulumiType: quarterdeck.scheduler.Job.__pulumiType }),
    ).toBe(true);
    expect([undefined, null, "job", {}].some(quarterdeck.scheduler.Job.isInstance)).toBe(false);
  });
});

describe("get", () => {
  it("reads by the ID, with no input except the provider text", async () => {
    let entry: quarterdeck.mesh.ConfigEntry | undefined;
    const [read] = await registered(
      () => {
        entry = quarterdeck.mesh.ConfigEntry.get("web", "staging:dc1//service-defaults/web");
      },
      { answers: { kind: "service-defaults", modifyIndex: "7" } },
    );
    expect(read).toEqual({
      type: "pulumi-nodejs:dynamic/quarterdeck/mesh:ConfigEntry",
      name: "web",
      id: "staging:dc1//service-defaults/web",
      inputs: { __provider: expect.stringContaining('("mesh:ConfigEntry")') },
    });
    if (entry === undefined) throw new Error("the program read no entry");
    expect((await settled(entry.modifyIndex)).value).toBe("7");
    expect((await settled(entry.kind)).value).toBe("service-defaults");
  });

  it("accepts an ID that is known only later", async () => {
    const [read] = await registered(() =>
      quarterdeck.scheduler.Job.get("web", pulumi.output(Promise.resolve("default/web"))),
    );
    expect(read?.id).toBe("default/web");
  });
});

describe("ignoreChanges", () => {
  it("is passed to the provider as paths, because the engine does not pass them", async () => {
    const ignoreChanges = ["description", 'tagBindings["a.b"]'];
    const [app] = await registered(
      () => new quarterdeck.workspaces.Workspace("app", { name: "app" }, { ignoreChanges }),
    );
    expect(app?.inputs[ASIDE_PROPERTY]).toEqual({ ignored: ignoreChanges });
  });

  it("adds nothing to the inputs of a resource that does not use it", async () => {
    const [app] = await registered(() => new quarterdeck.workspaces.Workspace("app", { name: "app" }));
    expect(app?.inputs).not.toHaveProperty(ASIDE_PROPERTY);
  });
});

describe("secret value", () => {
  it("is sent to the engine as secret if the definition declares it", async () => {
    const [method] = await registered(
      () => new quarterdeck.secrets.MfaMethod("staff", { orgName: "harbour", apiToken: "canary" }),
    );
    expect(method?.inputs.apiToken).toEqual(secretly("canary"));
    expect(method?.inputs.orgName).toBe("harbour");
    expect(method?.inputs).not.toHaveProperty(ASIDE_PROPERTY);
  });

  it("is passed to the provider by its path if the program declares it", async () => {
    const [web] = await registered(
      () =>
        new quarterdeck.scheduler.Job("web", {
          json: { ID: "web", Meta: { "api key": pulumi.secret("canary"), plain: "x" } },
          namespace: pulumi.secret("harbour"),
        }),
    );
    expect(web?.inputs[ASIDE_PROPERTY]).toEqual({ secrets: ['json.Meta["api key"]', "namespace"] });
    expect(web?.inputs.namespace).toEqual(secretly("harbour"));
    expect(web?.inputs.json).toEqual(secretly({ ID: "web", Meta: { "api key": "canary", plain: "x" } }));
  });

  it("is a document with a secret member, in any form", async () => {
    const certificate = { Certificate: "plain", PrivateKey: "canary" };
    const spellings = [
      certificate,
      JSON.stringify(certificate),
      pulumi.output(certificate),
      Promise.resolve(JSON.stringify(certificate)),
      { Certificate: "plain", PrivateKey: pulumi.output("canary") },
    ];
    for (const spec of spellings) {
      const [entry] = await registered(
        () => new quarterdeck.mesh.ConfigEntry("web", { kind: "inline-certificate", name: "web", spec }),
      );
      expect(entry?.inputs.spec).toEqual(secretly(expect.anything()));
    }
  });

  it("is a document whose values are all secret, although the program marks none", async () => {
    const items = { password: "canary" };
    const [variable, secret] = await registered(() => [
      new quarterdeck.scheduler.Variable("app", { path: "app", items }),
      new quarterdeck.secrets.KvSecret("app", { path: "app", data: items }),
    ]);
    expect(variable?.inputs.items).toEqual(secretly(items));
    expect(secret?.inputs.data).toEqual(secretly(items));
  });

  it("is not a document without a secret member", async () => {
    const plain = { Protocol: "http", PrivateKey: "" };
    for (const spec of [plain, JSON.stringify(plain), pulumi.output(plain), "no JSON at all: PrivateKey"]) {
      const [entry] = await registered(
        () => new quarterdeck.mesh.ConfigEntry("web", { kind: "service-defaults", name: "web", spec }),
      );
      expect(entry?.inputs.spec).toEqual(typeof spec === "string" ? spec : plain);
    }
  });
});
