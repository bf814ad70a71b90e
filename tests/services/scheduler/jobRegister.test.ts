import fc from "fast-check";
import type { Values } from "../../../provider/core/language/object";
import { isObject, type Json } from "../../../provider/core/value/json";
import { withMetadata } from "../../../provider/core/value/programInputs";
import { variablesText } from "../../../provider/services/scheduler/jobText";
import { fifth } from "../../rounds";
import { JobScene, typedWeb, web, webText } from "./job-scene";

describe("a change that Nomad rejects for an existing job", () => {
  const batch = { ...web, Type: "batch" };
  const periodic = { ...batch, Periodic: { Spec: "*/15 * * * *" } };
  const parameterized = { ...batch, ParameterizedJob: {} };

  test.each<[string, Json, Json, string]>([
    ["a different type", web, batch, 'type of a job cannot change from "service" to "batch"'],
    ["a job that becomes periodic", batch, periodic, "a non-periodic job cannot become periodic"],
    ["a job that is no longer periodic", periodic, batch, "a periodic job cannot become non-periodic"],
    [
      "a job that is no longer parameterized",
      parameterized,
      batch,
      "a parameterized job cannot become non-parameterized",
    ],
    [
      "a job that becomes parameterized",
      batch,
      { ...batch, ParameterizedJob: { Payload: "required" } },
      "a non-parameterized job cannot become parameterized",
    ],
  ])("is reported in the preview with a remedy: %s", async (_, before, after, reason) => {
    const { resource } = new JobScene();
    await resource.create({ json: before });
    const { notes } = resource.preview({ json: after });
    expect(notes).toEqual([expect.stringContaining(reason)]);
    expect(notes[0]).toContain("first delete the job with purge: true");
  });

  test("fails the update with Nomad's error", async () => {
    const { resource } = new JobScene();
    await resource.create({ json: batch });
    await expect(resource.update({ json: web })).rejects.toThrow("cannot update job from type");
    await expect(resource.update({ json: periodic })).rejects.toThrow("cannot update non-periodic job");
  });

  test.each<[string, Json]>([
    ["service", web],
    ["periodic", periodic],
    ["parameterized", parameterized],
  ])("is not reported for an allowed change of a %s job", async (_, job) => {
    const { resource } = new JobScene();
    await resource.create({ json: job });
    expect(resource.preview({ json: { ...Object(job), Priority: 70 } }).notes).toEqual([]);
  });
});

describe("registration options", () => {
  test.each<[Values, object]>([
    [{ evalPriority: 80 }, { EvalPriority: 80 }],
    [{ policyOverride: true }, { PolicyOverride: true }],
    [{ preserveCounts: true }, { PreserveCounts: true }],
    [{ preserveResources: true }, { PreserveResources: true }],
  ])("are sent with every registration: %j", async (options, sent) => {
    const scene = new JobScene();
    await scene.resource.create({ json: web, ...options });
    await scene.resource.up({ json: { ...web, Priority: 60 }, ...options });
    expect(scene.registers).toHaveLength(2);
    for (const body of scene.registers) expect(body).toMatchObject(sent);
  });

  test("are not sent if the program does not set them", async () => {
    const scene = new JobScene();
    await scene.resource.create({ spec: typedWeb });
    expect(Object.keys(scene.registers[0] ?? {}).sort()).toEqual(["EnforceIndex", "Job", "JobModifyIndex"]);
  });

  test("are not compared with the server, and a change of only these sends no request", async () => {
    const scene = new JobScene();
    await scene.resource.create({ json: web, evalPriority: 80, policyOverride: true });
    const changed = { json: web, evalPriority: 20 };
    const { changes } = scene.resource.preview(changed);
    expect(changes.map(({ path }) => path)).toEqual([["evalPriority"], ["policyOverride"]]);
    scene.world.requests.length = 0;
    await scene.resource.up(changed);
    expect(scene.world.requests).toEqual([]);
    await scene.resource.refresh();
    expect(scene.resource.preview(changed).changes).toEqual([]);
  });

  test("fail the check if evalPriority is not between 0 (the priority of the job) and 100", () => {
    const { resource } = new JobScene();
    for (const evalPriority of [-1, 101]) {
      expect(resource.check({ json: web, evalPriority })).toMatchObject([{ path: "evalPriority" }]);
    }
    for (const evalPriority of [0, 1, 100]) {
      expect(resource.check({ json: web, evalPriority })).toEqual([]);
    }
  });

  test("with policyOverride fail with HTTP 403 without its permission, and leave no ID in the state", async () => {
    const seed = { tokens: { clerk: { namespaces: { default: ["submit-job", "read-job"] } } } };
    const scene = new JobScene({ token: "clerk" }, { seed, random: () => 0.5 });
    await expect(scene.resource.create({ json: web, policyOverride: true })).rejects.toThrow(
      /returned 403: Permission denied/,
    );
    expect(scene.resource.id).toBe("");
    await scene.resource.create({ json: web });
    expect(scene.resource.id).toBe("default/web");
  });
});

describe("Nomad's warnings", () => {
  test("are printed by a create and by an update", async () => {
    const scene = new JobScene({}, { switches: { largestSubmission: 10 } });
    await scene.resource.create({ json: JSON.stringify(web) });
    await scene.resource.up({ json: JSON.stringify({ ...web, Priority: 60 }) });
    const warnings = scene.world.logged.filter((line) => line.startsWith("warning:"));
    expect(warnings).toHaveLength(2);
    for (const line of warnings) expect(line).toContain("exceeds maximum of 10 B and will be discarded");
  });
});

describe("the submission of a registration", () => {
  test.each<[string, Values, object | undefined]>([
    [
      "a JSON string",
      { json: JSON.stringify(web, null, 2) },
      { Source: JSON.stringify(web, null, 2), Format: "json" },
    ],
    ["HCL", { hcl: webText }, { Source: webText, Format: "hcl2" }],
    ["a JSON object", { json: web }, undefined],
    ["a spec object", { spec: typedWeb }, undefined],
  ])("is the text of the program, if it writes text: %s", async (_, program, expected) => {
    const scene = new JobScene();
    await scene.resource.create(program);
    expect(scene.registers[0]?.Submission).toEqual(expected);
  });

  test.each<[string, Values]>([
    ["a JSON string", { json: JSON.stringify(web) }],
    ["HCL", { hcl: webText }],
    ["a JSON string in hcl", { hcl: JSON.stringify(web) }],
  ])("is never sent with submission: false: %s", async (_, program) => {
    const scene = new JobScene();
    await scene.resource.create({ ...program, submission: false });
    await scene.resource.up({ ...program, submission: false, adopt: true });
    const { json } = await scene.send("GET", "/v1/job/web");
    expect(json).toMatchObject({ ID: "web" });
    for (const register of scene.registers) expect(register).not.toHaveProperty("Submission");
    expect((await scene.send("GET", "/v1/job/web/submission?version=0")).status).toBe(404);
  });

  test("causes no registration if only the submission option changes", async () => {
    const scene = new JobScene();
    await scene.resource.create({ hcl: webText });
    await scene.resource.up({ hcl: webText, submission: false });
    await scene.resource.up({ hcl: webText });
    expect(scene.registers).toHaveLength(1);
  });

  test("contains exactly those variables that the program does not mark as secret", async () => {
    const name = fc.constantFrom("image", "api-key", "names", "limits", "replicas");
    const value = fc.oneof<fc.Arbitrary<Json>[]>(
      fc.constantFrom("canary-text", 7, true),
      fc.constant(["canary-one", "canary-two"]),
      fc.constant({ key: "canary-key", other: "canary-other" }),
    );
    const inside: Readonly<Record<string, string>> = { object: ".key", array: "[1]" };
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(name, value),
        fc.array(fc.tuple(name, fc.boolean())),
        fc.constantFrom("each", "all", "text"),
        async (variables, marks, how) => {
          const marked = marks.filter(([each]) => variables[each] !== undefined);
          const paths = marked.map(([each, isInside]) => {
            const kind = Array.isArray(variables[each]) ? "array" : typeof variables[each];
            const at = each.includes("-") ? `variables["${each}"]` : `variables.${each}`;
            return isInside ? at + (inside[kind] ?? "") : at;
          });
          const hidden = how === "each" ? marked.map(([each]) => each) : Object.keys(variables);
          const declared = Object.keys(variables).map((each) => `variable "${each}" {}\n`);
          const hcl = `${declared.join("")}${webText}`;
          const written = how === "text" ? variablesText(variables) : variables;
          const secrets = how === "each" ? paths : ["variables"];
          const scene = new JobScene();
          await scene.resource.create(
            withMetadata<Values>({ hcl, variables: written }, { secretPaths: secrets }),
          );
          const parseRequests = scene.world.requests.filter(({ path }) => path.endsWith("/parse"));
          expect(parseRequests).toMatchObject([{ body: { Variables: variablesText(variables) } }]);
          const { Submission } = scene.registers[0] ?? {};
          const sent = isObject(Submission) ? (Submission.Variables ?? "") : "nothing";
          const open = Object.entries(variables).filter(([each]) => !hidden.includes(each));
          expect(sent).toBe(variablesText(Object.fromEntries(open)));
        },
      ),
      { numRuns: fifth(100) },
    );
  });
});
