import * as quarterdeck from "../../sdk";
import { TestStack } from "./stack";

// Complete engine commands, on any machine.
jest.setTimeout(120_000);

let stack: TestStack;

beforeEach(async () => {
  stack = await TestStack.open({ scheduler: { maxRetries: 0 } });
});
afterEach(() => stack.close());

const jobs =
  (count: number, more: object = {}) =>
  async () => {
    const web = {
      id: "web",
      taskGroups: [
        { name: "cache", count: 1, tasks: [{ name: "store", driver: "docker" }] },
        { name: "front", count, tasks: [{ name: "server", driver: "docker" }] },
      ],
    };
    const constraints = [{ lTarget: "attr.cpu.arch", operand: "=", rTarget: "arm64" }];
    const arm = {
      id: "arm",
      constraints,
      taskGroups: [{ name: "g", tasks: [{ name: "t", driver: "docker" }] }],
    };
    new quarterdeck.scheduler.Job("web", { spec: web, purge: true, ...more });
    new quarterdeck.scheduler.Job("arm", { spec: arm, purge: true, ...more });
  };

const plans = async () =>
  (await stack.stub.requests({ service: "scheduler" })).filter(({ path }) => path.endsWith("/plan"));

/** Matches these lines, one after the other, with any indentation. */
const lines = (...texts: string[]) =>
  expect.stringMatching(new RegExp(texts.map(escaped).join("\\s*\\n\\s*")));

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

test("a preview prints Nomad's plan of each changed job with one request per job, and an up requests no plan", async () => {
  await stack.stub.seed("scheduler", { outcomes: [{ job: "arm", outcome: "unplaceable" }] });
  const first = await stack.preview(jobs(2));
  expect(first).toMatchObject({ failure: undefined, changes: { create: 3 } });
  expect(first.output).toEqual(lines("Nomad's plan:", 'group "cache"  1 create', 'group "front"  2 create'));
  expect(first.output).toEqual(
    lines(
      '1 allocation of group "g" cannot be placed now:',
      "3 nodes evaluated",
      'constraint "attr.cpu.arch = arm64" filtered 3',
    ),
  );
  expect(await plans()).toHaveLength(2);
  expect(await stack.up(jobs(2))).toMatchObject({ failure: undefined, changes: { create: 3 } });
  expect(await plans()).toHaveLength(2);

  expect(await stack.preview(jobs(2))).toMatchObject({ changes: { same: 3 } });
  expect(await stack.refresh()).toMatchObject({ changes: { same: 3 } });
  expect(await plans()).toHaveLength(2);

  const changed = await stack.preview(jobs(3));
  expect(changed).toMatchObject({ failure: undefined, changes: { update: 1, same: 2 } });
  expect(changed.output).toEqual(
    lines('group "cache"  1 in-place update', 'group "front"  1 create, 2 in-place update'),
  );
  expect(await plans()).toHaveLength(3);
  await stack.up(jobs(3));
  expect(await plans()).toHaveLength(3);
});

test("a preview succeeds with one warning if the token may not plan, and plan: false sends no plan request", async () => {
  await stack.stub.fault({
    kind: "status",
    match: { service: "scheduler", method: "POST" },
    status: 403,
    body: "Permission denied",
    times: "always",
  });
  const { failure, output } = await stack.preview(jobs(2));
  expect(failure).toBeUndefined();
  // The plugin also prints the line in the resource's row.
  expect(
    output
      .split("Diagnostics:")
      .at(-1)
      ?.match(/the server's plan is not available/g),
  ).toHaveLength(1);
  const asked = (await plans()).length;
  expect(await stack.preview(jobs(2, { plan: false }))).toMatchObject({ failure: undefined });
  expect(await plans()).toHaveLength(asked);
});
