import * as pulumi from "@pulumi/pulumi";
import { ASIDE_PROPERTY } from "../../provider/core/bridge/engineValues";
import { formatPath as providerPath } from "../../provider/core/value/path";
import { scheduler } from "../../sdk";
import { formatPath, secretPaths } from "../../sdk/runtime/secretPaths";
import { registered } from "./engine";

describe("the paths that a program marked secret", () => {
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
  ])("are written as the provider reads them: %j", (path, text) => {
    expect(formatPath(path)).toBe(text);
    expect(providerPath(path)).toBe(text);
  });

  it("are none in a program without secrets", async () => {
    expect(
      await secretPaths({ a: 1, b: pulumi.output("x"), c: [{ d: Promise.resolve(null) }] }),
    ).toBeUndefined();
  });

  it("are found in lists, objects, promises, and in promises of them", async () => {
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

  it("do not enter a resource that is given as a value", async () => {
    const found: unknown[] = [];
    await registered(async () => {
      const other = new scheduler.Job("other", { json: { ID: "other", Meta: { key: pulumi.secret("x") } } });
      found.push(await secretPaths({ other }));
    });
    expect(found).toEqual([undefined]);
  });

  it("are known in a preview although the values are not", async () => {
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

  it("pass over a value that fails, which its own property reports", async () => {
    const failing = Promise.reject(new Error("no value"));
    const broken = pulumi.output(failing);
    // In a program the engine's SDK reports these; here nobody does.
    for (const part of Object.values(broken)) if (part instanceof Promise) part.catch(() => undefined);
    expect(await secretPaths({ failing, broken, key: pulumi.secret("x") })).toEqual(["key"]);
  });
});
