import * as quarterdeck from "../../sdk";
import { openTrial, TEST_TOKENS, type Trial } from "../../testing";
import { blocksOf, pageAt } from "./pages";

const page = pageAt("docs/conflicts.md");
/** Removes the index, which differs between runs. */
const steady = (text = "") => text.trimEnd().replace(/index \d+/g, "index N");
const [conflict, beforeDelete, existing] = blocksOf(page, "text").map(steady);

const orders = (count: number, more: { readonly adopt?: boolean } = {}) => {
  return async () => {
    new quarterdeck.scheduler.Job("orders", {
      spec: {
        id: "orders",
        taskGroups: [
          {
            name: "api",
            count,
            tasks: [{ name: "server", driver: "docker", config: { image: "orders:1" } }],
          },
        ],
      },
      ...more,
    });
  };
};

const headers = { "x-nomad-token": TEST_TOKENS.scheduler };

/** The job on the server. */
async function jobAt(
  address: string,
): Promise<{ readonly TaskGroups: readonly [{ readonly Count: number }] }> {
  const answer = await fetch(`${address}/v1/job/orders`, { headers });
  // The tests create this job, so that its shape is known.
  return (await answer.json()) as { readonly TaskGroups: readonly [{ readonly Count: number }] };
}

/** Someone else registers the job with another count. */
async function registerOutside(trial: Trial, count: number): Promise<void> {
  const address = trial.stub.addresses.scheduler;
  const job = await jobAt(address);
  const [group] = job.TaskGroups;
  const changed = { ...job, TaskGroups: [{ ...group, Count: count }] };
  const answer = await fetch(`${address}/v1/jobs`, {
    method: "POST",
    headers,
    body: JSON.stringify({ Job: changed }),
  });
  expect(answer.ok).toBe(true);
}

/** The diagnostics of a failed command about a resource: the first matching line, and the lines indented below it. */
async function failureOf(command: Promise<unknown>, beginning: RegExp): Promise<string> {
  const message = await command.then(
    () => "it did not fail",
    (error: Error) => error.message,
  );
  const lines = message.slice(message.indexOf("Diagnostics:")).split("\n");
  const first = lines.findIndex((line) => beginning.test(line));
  const indent = (line: string) => line.search(/\S/);
  const under = lines.slice(first + 1);
  const end = under.findIndex((line) => indent(line) <= indent(lines[first] ?? ""));
  const least = Math.min(...under.slice(0, end).map(indent));
  const head = (lines[first] ?? "").slice((lines[first] ?? "").search(beginning));
  return [head, ...under.slice(0, end).map((line) => `  ${line.slice(least)}`)]
    .map((line) => line.trimEnd())
    .join("\n");
}

let trial: Trial;
beforeEach(async () => {
  trial = await openTrial({ program: orders(2) });
});
afterEach(() => trial.close());
const setProgram = (program: ReturnType<typeof orders>) => {
  trial.stack.workspace.program = program;
};

test("the page shows the actual message of a conflict", async () => {
  await trial.stack.up();
  await registerOutside(trial, 5);
  setProgram(orders(3));
  expect(steady(await failureOf(trial.stack.up(), /conflict: /))).toBe(conflict);
});

test("the page shows the actual message of a create whose object already exists", async () => {
  await trial.stack.up();
  await registerOutside(trial, 5);
  await trial.stack
    .exportStack()
    .then(({ version }) =>
      trial.stack.importStack({ version, deployment: { manifest: { time: "", magic: "", version: "" } } }),
    );
  expect(steady(await failureOf(trial.stack.up(), /Nomad job .* already exists/))).toBe(existing);
});

test("the page shows the actual message of a conflict of a delete", async () => {
  await trial.stack.up();
  await registerOutside(trial, 5);
  expect(steady(await failureOf(trial.stack.destroy(), /conflict: /))).toBe(beforeDelete);
});

test("the remedies on the page keep your value or accept the other user's value", async () => {
  const count = async () => (await jobAt(trial.stub.addresses.scheduler)).TaskGroups[0].Count;
  await trial.stack.up();
  // Keep yours: refresh, then up.
  await registerOutside(trial, 5);
  setProgram(orders(3));
  await expect(trial.stack.up()).rejects.toThrow(/conflict: /);
  await trial.stack.refresh();
  await trial.stack.up();
  expect(await count()).toBe(3);
  // Accept theirs: refresh, then the other user's value in the program.
  await registerOutside(trial, 7);
  await trial.stack.refresh();
  setProgram(orders(7));
  const { changeSummary } = await trial.stack.preview();
  expect(changeSummary).toEqual({ same: 2 });
  expect(await count()).toBe(7);
});
