import fc from "fast-check";
import type { Values } from "../../../provider/core/language/object";
import { isObject, type Json } from "../../../provider/core/value/json";
import { withMetadata } from "../../../provider/core/value/programInputs";
import { variablesText } from "../../../provider/services/scheduler/jobText";
import { fifth } from "../../rounds";
import { JobScene, typedWeb, web, webText } from "./job-scene";

describe("a job that cannot become what the program says now", () => {
  const batch = { ...web, Type: "batch" };
  const periodic = { ...batch, Periodic: { Spec: "*/15 * * * *" } };
  const parameterised = { ...batch, ParameterizedJob: {} };

  test.each<[string, Json, Json, string]>([
    ["of another type", web, batch, 'of type "service" cannot become one of type "batch"'],
    ["periodic", batch, periodic, "not periodic cannot become so"],
    ["periodic no more", periodic, batch, "is periodic cannot become one that is not"],
    ["parameterised no more", parameterised, batch, "is parameterised cannot become one that is not"],
    ["parameterised", batch, { ...batch, ParameterizedJob: { Payload: "required" } }, "cannot become so"],
  ])("is told in the preview, with what to do: %s", async (_, before, after, reason) => {
    const { resource } = new JobScene();
    await resource.create({ json: before });
    const { notes } = resource.preview({ json: after });
    expect(notes).toEqual([expect.stringContaining(reason)]);
    expect(notes[0]).toContain("delete the job first, with purge: true");
  });

  test("is refused by the service in the up", async () => {
    const { resource } = new JobScene();
    await resource.create({ json: batch });
    await expect(resource.update({ json: web })).rejects.toThrow("cannot update job from type");
    await expect(resource.update({ json: periodic })).rejects.toThrow("cannot update non-periodic job");
  });

  test.each<[string, Json]>([
    ["service", web],
    ["periodic", periodic],
    ["parameterised", parameterised],
  ])("is not what another change of a job is: %s", async (_, job) => {
    const { resource } = new JobScene();
    await resource.create({ json: job });
    expect(resource.preview({ json: { ...Object(job), Priority: 70 } }).notes).toEqual([]);
  });
});

describe("what steers a register", () => {
  test.each<[Values, object]>([
    [{ evalPriority: 80 }, { EvalPriority: 80 }],
    [{ policyOverride: true }, { PolicyOverride: true }],
    [{ preserveCounts: true }, { PreserveCounts: true }],
  ])("goes along with every one: %j", async (steering, sent) => {
    const scene = new JobScene();
    await scene.resource.create({ json: web, ...steering });
    await scene.resource.up({ json: { ...web, Priority: 60 }, ...steering });
    expect(scene.registers).toHaveLength(2);
    for (const body of scene.registers) expect(body).toMatchObject(sent);
  });

  test("is not sent where the program says nothing of it", async () => {
    const scene = new JobScene();
    await scene.resource.create({ spec: typedWeb });
    expect(Object.keys(scene.registers[0] ?? {}).sort()).toEqual(["EnforceIndex", "Job", "JobModifyIndex"]);
  });

  test("is never compared with the service, and changing it alone sends nothing", async () => {
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

  test("has the evaluation's priority from 1 to 100, or 0 for the job's own, as the preview says", () => {
    const { resource } = new JobScene();
    for (const evalPriority of [-1, 101]) {
      expect(resource.check({ json: web, evalPriority })).toMatchObject([{ path: "evalPriority" }]);
    }
    for (const evalPriority of [0, 1, 100]) {
      expect(resource.check({ json: web, evalPriority })).toEqual([]);
    }
  });

  test("needs rights of its own for an override, and a refusal leaves nothing behind", async () => {
    const seed = { tokens: { clerk: { namespaces: { default: ["submit-job", "read-job"] } } } };
    const scene = new JobScene({ token: "clerk" }, { seed, random: () => 0.5 });
    await expect(scene.resource.create({ json: web, policyOverride: true })).rejects.toThrow(
      /answered 403: Permission denied/,
    );
    expect(scene.resource.id).toBe("");
    await scene.resource.create({ json: web });
    expect(scene.resource.id).toBe("default/web");
  });
});

describe("the service's warnings", () => {
  test("in the answer to a register are shown, in a create and in an update", async () => {
    const scene = new JobScene({}, { switches: { largestSubmission: 10 } });
    await scene.resource.create({ json: JSON.stringify(web) });
    await scene.resource.up({ json: JSON.stringify({ ...web, Priority: 60 }) });
    const warnings = scene.world.logged.filter((line) => line.startsWith("warning:"));
    expect(warnings).toHaveLength(2);
    for (const line of warnings) expect(line).toContain("exceeds maximum of 10 B and will be discarded");
  });
});

describe("the submission", () => {
  test.each<[string, Values, object | undefined]>([
    [
      "JSON text",
      { json: JSON.stringify(web, null, 2) },
      { Source: JSON.stringify(web, null, 2), Format: "json" },
    ],
    ["text", { hcl: webText }, { Source: webText, Format: "hcl2" }],
    ["a JSON object", { json: web }, undefined],
    ["a typed object", { spec: typedWeb }, undefined],
  ])("is the program's own text: %s", async (_, program, expected) => {
    const scene = new JobScene();
    await scene.resource.create(program);
    expect(scene.registers[0]?.Submission).toEqual(expected);
  });

  test.each<[string, Values]>([
    ["JSON text", { json: JSON.stringify(web) }],
    ["text", { hcl: webText }],
    ["text that is JSON", { hcl: JSON.stringify(web) }],
  ])("is never sent where the program says so: %s", async (_, program) => {
    const scene = new JobScene();
    await scene.resource.create({ ...program, submission: false });
    await scene.resource.up({ ...program, submission: false, adopt: true });
    const { json } = await scene.send("GET", "/v1/job/web");
    expect(json).toMatchObject({ ID: "web" });
    for (const register of scene.registers) expect(register).not.toHaveProperty("Submission");
    expect((await scene.send("GET", "/v1/job/web/submission?version=0")).status).toBe(404);
  });

  test("that a program asks for by now, or no longer, sends nothing by itself", async () => {
    const scene = new JobScene();
    await scene.resource.create({ hcl: webText });
    await scene.resource.up({ hcl: webText, submission: false });
    await scene.resource.up({ hcl: webText });
    expect(scene.registers).toHaveLength(1);
  });

  test("holds the variables that the program marks as no secrets, and none of those that it marks", async () => {
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
          const asked = scene.world.requests.filter(({ path }) => path.endsWith("/parse"));
          expect(asked).toMatchObject([{ body: { Variables: variablesText(variables) } }]);
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
