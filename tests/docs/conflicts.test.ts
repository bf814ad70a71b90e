import * as quarterdeck from "../../sdk";
import { openTrial, TEST_TOKENS, type Trial } from "../../testing";
import { blocksOf, pageAt } from "./pages";

const page = pageAt("docs/conflicts.md");
/** How far a service has counted by then says nothing. */
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

/** The job as the service shows it. */
async function jobAt(
  address: string,
): Promise<{ readonly TaskGroups: readonly [{ readonly Count: number }] }> {
  const answer = await fetch(`${address}/v1/job/orders`, { headers });
  // Of this one job, which the tests make, the shape is known.
  return (await answer.json()) as { readonly TaskGroups: readonly [{ readonly Count: number }] };
}

/** Somebody else registers the job with another count. */
async function registered(trial: Trial, count: number): Promise<void> {
  const address = trial.stub.addresses.scheduler;
  const job = await jobAt(address);
  const [group] = job.TaskGroups;
  const moved = { ...job, TaskGroups: [{ ...group, Count: count }] };
  const answer = await fetch(`${address}/v1/jobs`, {
    method: "POST",
    headers,
    body: JSON.stringify({ Job: moved }),
  });
  expect(answer.ok).toBe(true);
}

/** What a command that fails says of a resource among its diagnostics: the line of these words, and what is indented under it. */
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
const goOn = (program: ReturnType<typeof orders>) => {
  trial.stack.workspace.program = program;
};

test("the page shows a conflict as it is", async () => {
  await trial.stack.up();
  await registered(trial, 5);
  goOn(orders(3));
  expect(steady(await failureOf(trial.stack.up(), /conflict: /))).toBe(conflict);
});

test("the page shows what a create finds as it is", async () => {
  await trial.stack.up();
  await registered(trial, 5);
  await trial.stack
    .exportStack()
    .then(({ version }) =>
      trial.stack.importStack({ version, deployment: { manifest: { time: "", magic: "", version: "" } } }),
    );
  expect(steady(await failureOf(trial.stack.up(), /scheduler:Job .* already exists/))).toBe(existing);
});

test("the page shows the conflict of a delete as it is", async () => {
  await trial.stack.up();
  await registered(trial, 5);
  expect(steady(await failureOf(trial.stack.destroy(), /conflict: /))).toBe(beforeDelete);
});

test("each way on that the page tells leads where it says", async () => {
  const count = async () => (await jobAt(trial.stub.addresses.scheduler)).TaskGroups[0].Count;
  await trial.stack.up();
  // To insist: a refresh, which settles it, and then up.
  await registered(trial, 5);
  goOn(orders(3));
  await expect(trial.stack.up()).rejects.toThrow(/conflict: /);
  await trial.stack.refresh();
  await trial.stack.up();
  expect(await count()).toBe(3);
  // To take theirs: a refresh, and their value in the program.
  await registered(trial, 7);
  await trial.stack.refresh();
  goOn(orders(7));
  const { changeSummary } = await trial.stack.preview();
  expect(changeSummary).toEqual({ same: 2 });
  expect(await count()).toBe(7);
});
