import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "../../sdk";
import { TestStack } from "./stack";

// Complete engine commands, on any machine.
jest.setTimeout(180_000);

const { scheduler, secrets, workspaces } = quarterdeck;

const GROUPS = [{ Name: "front", Tasks: [{ Name: "server", Driver: "docker", Config: { image: "nginx" } }] }];

let stacks: TestStack[] = [];

beforeEach(async () => {
  stacks = [await TestStack.open(), await TestStack.open()];
});
afterEach(() => Promise.all(stacks.map((stack) => stack.close())));

/**
 * Exports complete resources: one whose output another resource uses, one in a component, and one that is read by its
 * ID. A transformation makes all their outputs conventional.
 */
const program = (name: string, isConventional: boolean) => async () => {
  const opts = isConventional ? { transformations: [() => undefined] } : {};
  const app = new workspaces.Workspace("app", { name, organization: "acme" }, opts);
  const harbour = new pulumi.ComponentResource("test:index:Harbour", "harbour", {}, opts);
  const web = new scheduler.Job(
    "web",
    {
      json: { ID: name, TaskGroups: GROUPS, Meta: { version: app.createdAt.apply(() => "1") } },
    },
    { parent: harbour },
  );
  const method = new secrets.MfaMethod(
    "staff",
    { methodName: name, orgName: "acme", apiToken: "canary" },
    opts,
  );
  const again = scheduler.Job.get("again", web.id, opts);
  return { app, method, web, again, region: web.region, index: pulumi.interpolate`${web.jobModifyIndex}!` };
};

describe("lazily created outputs", () => {
  it("equal conventional outputs, also of complete resources, in two concurrent programs of one process", async () => {
    const run = (step: "preview" | "up") =>
      Promise.all(
        stacks.map((stack, index) => {
          stack.program = program("harbour", index === 1);
          return stack[step]();
        }),
      );
    await run("preview");
    const [light, conventional] = await run("up");
    expect(light?.failure).toBeUndefined();
    expect(Object.keys(light?.outputs ?? {})).toHaveLength(6);
    expect(withoutIds(light?.outputs)).toEqual(withoutIds(conventional?.outputs));
    const [again, conventionalAgain] = await run("up");
    expect(again?.changes).toEqual(conventionalAgain?.changes);
  });

  it("belong to their own stack if two stacks run concurrently", async () => {
    const names = ["harbour", "quay"];
    const ran = await Promise.all(
      stacks.map((stack, index) => {
        stack.program = async () => {
          const { jobId } = new scheduler.Job("web", {
            json: { ID: names[index], TaskGroups: GROUPS },
          });
          await new Promise((resolve) => jobId.apply(resolve));
          return { jobId };
        };
        return stack.up();
      }),
    );
    expect(ran.map(({ failure }) => failure)).toEqual([undefined, undefined]);
    expect(ran.map(({ outputs }) => outputs.jobId)).toEqual(names);
  });
});

/** Removes the values that differ between two servers: random IDs, addresses and timestamps. */
function withoutIds(outputs: unknown): unknown {
  return JSON.parse(
    JSON.stringify(outputs, (key, value) => (key === "__provider" ? undefined : value))
      .replaceAll(/ws-[A-Za-z0-9]+/g, "ws-")
      .replaceAll(/127\.0\.0\.1:\d+/g, "here")
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "uuid")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "then"),
  );
}
