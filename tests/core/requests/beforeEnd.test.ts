import { beforeEnd, lastDeeds } from "../../../provider/core/requests/beforeEnd";

/** A timer that is over when it is told to be, and what was asked of it. */
function timer() {
  const asked: { ms: number; end(): void; signal: AbortSignal | undefined }[] = [];
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((end) => asked.push({ ms, end, signal }));
  return { asked, sleep };
}

test("a last deed that never ends keeps the end waiting for less than a second, by the timer that is handed in", async () => {
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

test("deeds are done once, a failing one fails nothing, and no timer is left behind", async () => {
  const clock = timer();
  const done: string[] = [];
  beforeEnd(async () => void done.push("one"), clock);
  beforeEnd(() => Promise.reject(new Error("no")), clock);
  await lastDeeds(clock);
  await lastDeeds(clock);
  expect([done, clock.asked.length, clock.asked[0]?.signal?.aborted]).toEqual([["one"], 1, true]);
});
