import * as pulumi from "@pulumi/pulumi";
import { ASIDE_PROPERTY } from "../../provider/core/bridge/engineValues";
import { formatPath as providerPath } from "../../provider/core/value/path";
import { scheduler } from "../../sdk";
import { formatSecretPath, secretPaths } from "../../sdk/runtime/secretPaths";
import { registered } from "./engine";

describe("paths of the values that a program declares secret", () => {
  it.each<[readonly (string | number)[], string]>([
    [["apiToken"], "apiToken"],
    [["vcsRepo", "branch"], "vcsRepo.branch"],
    [["tags", 2], "tags[2]"],
    [["json", "TaskGroups", 0, "Env", "API_KEY"], "json.TaskGroups[0].Env.API_KEY"],
    [["spec", "auto-apply"], "spec.auto-apply"],
    [["meta", "a.b"], 'meta["a.b"]'],
    [["meta", ""], 'meta[""]'],
    [["meta", 'say "x"'], 'meta["say \\"x\\""]'],
    [["meta", "7"], 'meta["7"]'],
    [["äußeres"], '["äußeres"]'],
    [[], ""],
  ])("have the same format as in the provider: %j", (path, text) => {
    expect(formatSecretPath(path)).toBe(text);
    expect(providerPath(path)).toBe(text);
  });

  it("are undefined if there are no secrets", async () => {
    expect(
      await secretPaths({ a: 1, b: pulumi.output("x"), c: [{ d: Promise.resolve(null) }] }),
    ).toBeUndefined();
  });

  it("are found in lists, objects, promises and outputs", async () => {
    const args = {
      first: pulumi.secret("x"),
      list: ["plain", pulumi.secret("x")],
      promised: Promise.resolve({ inner: [pulumi.secret("x")] }),
      whole: pulumi.output({ part: pulumi.secret("x"), other: "plain" }),
      derived: pulumi.interpolate`${pulumi.secret("x")}-y`,
      plain: pulumi.output("x"),
    };
    expect(await secretPaths(args)).toEqual(["first", "list[1]", "promised.inner[0]", "whole", "derived"]);
  });

  it("do not include members of a resource that is given as a value", async () => {
    const found: unknown[] = [];
    await registered(async () => {
      const other = new scheduler.Job("other", { json: { ID: "other", Meta: { key: pulumi.secret("x") } } });
      found.push(await secretPaths({ other }));
    });
    expect(found).toEqual([undefined]);
  });

  it("are known in a preview even if the values are not", async () => {
    const resources = await registered(
      () => {
        const first = new scheduler.Job("first", { json: { ID: "first" } });
        const index = pulumi.secret(first.jobModifyIndex);
        new scheduler.Job("second", { json: { ID: "second", Meta: { index, name: "plain" } } });
      },
      { preview: true },
    );
    const second = resources.find(({ name }) => name === "second");
    expect(second?.inputs[ASIDE_PROPERTY]).toMatchObject({ secrets: ["json.Meta.index"] });
  });

  it("do not include a value that fails, because its own property reports the failure", async () => {
    const failing = Promise.reject(new Error("no value"));
    const broken = pulumi.output(failing);
    // In a program the Pulumi SDK reports these rejections; here nothing does.
    for (const part of Object.values(broken)) if (part instanceof Promise) part.catch(() => undefined);
    expect(await secretPaths({ failing, broken, key: pulumi.secret("x") })).toEqual(["key"]);
  });
});
