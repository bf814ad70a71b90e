import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "../../sdk";
import { consoleOn } from "./console";
import { TestStack } from "./stack";

// Complete commands of an engine, on whatever machine.
jest.setTimeout(120_000);

const CANARY = "canary-4711-of-this-job";

const program = async () =>
  void new quarterdeck.scheduler.Job("web", {
    spec: {
      id: "web",
      meta: { owner: pulumi.secret(CANARY), team: "blue" },
      taskGroups: [{ name: "front", tasks: [{ name: "server", driver: "docker" }] }],
    },
    purge: true,
  });

test.each(["dynamic", "plugin"] as const)(
  "a secret that someone copied into other fields of a job never appears in plain text, on the %s bridge",
  async (bridge) => {
    const stack = await TestStack.open(
      {},
      bridge === "plugin" ? { plugin: join(__dirname, "../../plugin") } : {},
    );
    try {
      const ask = consoleOn(stack.stub);
      expect(await stack.up(program)).toMatchObject({ failure: undefined });
      const { body: Job } = await ask("scheduler", "GET", "/v1/job/web");
      const Meta = { ...Job.Meta, team: `blue ${CANARY}`, [CANARY]: "x" };
      await ask("scheduler", "POST", "/v1/jobs", { Job: { ...Job, Meta } });
      expect(await stack.refresh()).toMatchObject({ failure: undefined, changes: { update: 1 } });
      expect(stack.state()).not.toContain(CANARY);
      expect(await stack.preview(program)).toMatchObject({ failure: undefined, changes: { update: 1 } });
      expect(await stack.up(program)).toMatchObject({ failure: undefined, changes: { update: 1 } });
      expect(stack.state()).not.toContain(CANARY);
      expect(stack.printed).not.toContain(CANARY);
      expect(await stack.preview()).toMatchObject({ failure: undefined, changes: { same: 2 } });
      expect(await stack.destroy()).toMatchObject({ failure: undefined });
    } finally {
      await stack.close();
    }
  },
);

const OLD = "canary-0815-before-rotation";

const rotating = (owner: string) => async () =>
  void new quarterdeck.scheduler.Job(
    "web",
    {
      spec: {
        id: "web",
        meta: { owner: pulumi.secret(owner), team: "blue" },
        taskGroups: [{ name: "front", tasks: [{ name: "server", driver: "docker" }] }],
      },
      purge: true,
    },
    { ignoreChanges: ["spec.meta.team"] },
  );

test.each(["dynamic", "plugin"] as const)(
  "a copy of a secret stays encrypted after the secret was rotated, on the %s bridge",
  async (bridge) => {
    const stack = await TestStack.open(
      {},
      bridge === "plugin" ? { plugin: join(__dirname, "../../plugin") } : {},
    );
    try {
      const ask = consoleOn(stack.stub);
      expect(await stack.up(rotating(OLD))).toMatchObject({ failure: undefined });
      const { body: Job } = await ask("scheduler", "GET", "/v1/job/web");
      await ask("scheduler", "POST", "/v1/jobs", {
        Job: { ...Job, Meta: { ...Job.Meta, team: `blue ${OLD}` } },
      });
      expect(await stack.refresh()).toMatchObject({ failure: undefined });
      expect(await stack.up(rotating(CANARY))).toMatchObject({ failure: undefined, changes: { update: 1 } });
      const { body: rotated } = await ask("scheduler", "GET", "/v1/job/web");
      expect(rotated.Meta).toEqual({ owner: CANARY, team: `blue ${OLD}` });
      // The second refresh starts from what the first one stored.
      for (const _ of ["first", "second"]) {
        expect(await stack.refresh()).toMatchObject({ failure: undefined, changes: { same: 2 } });
        for (const canary of [OLD, CANARY]) expect(stack.state()).not.toContain(canary);
      }
      // Another change of the object makes the refresh write its inputs, too.
      await ask("scheduler", "POST", "/v1/jobs", { Job: { ...rotated, Priority: 70 } });
      expect(await stack.refresh()).toMatchObject({ failure: undefined });
      expect(await stack.up(rotating(CANARY))).toMatchObject({ failure: undefined });
      for (const canary of [OLD, CANARY]) {
        expect(stack.state()).not.toContain(canary);
        expect(stack.printed).not.toContain(canary);
      }
    } finally {
      await stack.close();
    }
  },
);
