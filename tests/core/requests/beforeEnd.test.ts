import { beforeEnd, lastDeeds } from "../../../provider/core/requests/beforeEnd";

/** A timer that the test ends, and the calls that it got. */
function timer() {
  const asked: { ms: number; end(): void; signal: AbortSignal | undefined }[] = [];
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((end) => asked.push({ ms, end, signal }));
  return { asked, sleep };
}

test("lastDeeds waits at most 800 ms of the given timer for an action that never ends", async () => {
  const clock = timer();
  beforeEnd(() => new Promise(() => undefined), clock);
  let isOver = false;
  const over = lastDeeds(clock).then(() => {
    isOver = true;
  });
  await new Promise(setImmediate);
  expect([isOver, clock.asked.map(({ ms }) => ms)]).toEqual([false, [800]]);
  clock.asked[0]?.end();
  await over;
});

test("lastDeeds runs each action once, ignores a failing action and ends its timer", async () => {
  const clock = timer();
  const done: string[] = [];
  beforeEnd(async () => void done.push("one"), clock);
  beforeEnd(() => Promise.reject(new Error("no")), clock);
  await lastDeeds(clock);
  await lastDeeds(clock);
  expect([done, clock.asked.length, clock.asked[0]?.signal?.aborted]).toEqual([["one"], 1, true]);
});
