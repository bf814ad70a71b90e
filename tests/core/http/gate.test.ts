import { Gate, type QueuePriority, TimeBudget } from "../../../provider/core/http/gate";
import { testRuntime } from "./clients";

const open: TimeBudget[] = [];
afterEach(() => {
  for (const timeBudget of open.splice(0)) timeBudget.close();
});

function patienceOf(runtime = testRuntime(), budget = 60_000, caller?: AbortSignal): TimeBudget {
  const timeBudget = new TimeBudget(runtime, budget, caller);
  open.push(timeBudget);
  return timeBudget;
}

async function entered(gate: Gate, timeBudget: TimeBudget): Promise<() => void> {
  const leave = await gate.enter(timeBudget, "first");
  if (leave === undefined) throw new Error("there was no place");
  return leave;
}

describe("a gate", () => {
  test("lets those in first who come again", async () => {
    const gate = new Gate(testRuntime(), 1);
    const leave = await entered(gate, patienceOf());
    const order: string[] = [];
    const come = async (name: string, again: boolean) => {
      const leaveAgain = await gate.enter(patienceOf(), again ? "again" : "first");
      order.push(name);
      leaveAgain?.();
    };
    const all = [come("new", false), come("second new", false), come("again", true)];
    leave();
    await Promise.all(all);
    expect(order).toEqual(["again", "new", "second new"]);
  });

  test("lets those in first who look what became of a write, in their own order, then who come again, then who changes what was looked at", async () => {
    const gate = new Gate(testRuntime(), 1);
    const leave = await entered(gate, patienceOf());
    const order: string[] = [];
    const come = async (name: string, turn: QueuePriority) => {
      const leaveAgain = await gate.enter(patienceOf(), turn);
      order.push(name);
      leaveAgain?.();
    };
    const all = [
      come("new", "first"),
      come("write", "after a read"),
      come("again", "again"),
      come("look", "after a write"),
      come("second look", "after a write"),
    ];
    leave();
    await Promise.all(all);
    expect(order).toEqual(["look", "second look", "again", "write", "new"]);
  });

  test("keeps no place for those who gave up waiting", async () => {
    const gate = new Gate(testRuntime(), 1);
    const leave = await entered(gate, patienceOf());
    const caller = new AbortController();
    const waiting = gate.enter(patienceOf(testRuntime(), 60_000, caller.signal), "first");
    caller.abort();
    expect(await waiting).toBeUndefined();
    leave();
    (await entered(gate, patienceOf()))();
  });

  test("takes its place back from those whose patience ends while it is closed", async () => {
    const runtime = testRuntime();
    const gate = new Gate(runtime, 1);
    gate.closeFor(10_000);
    expect(await gate.enter(patienceOf(runtime, 5000), "first")).toBeUndefined();
    expect(runtime.slept).toEqual([]);
    (await entered(gate, patienceOf(runtime)))();
    expect(runtime.slept).toEqual([10_000]);
  });

  test("that is closed again meanwhile is waited for again", async () => {
    const runtime = testRuntime();
    const gate = new Gate(runtime, 1);
    gate.closeFor(1000);
    const timeBudget = patienceOf({
      ...runtime,
      sleep: async (ms) => {
        await runtime.sleep(ms);
        if (runtime.slept.length === 1) gate.closeFor(2000);
      },
    });
    (await entered(gate, timeBudget))();
    expect(runtime.slept).toEqual([1000, 2000]);
  });

  test("is not opened earlier by a shorter wait", async () => {
    const runtime = testRuntime();
    const gate = new Gate(runtime, 1);
    gate.closeFor(5000);
    gate.closeFor(1000);
    (await entered(gate, patienceOf(runtime)))();
    expect(runtime.slept).toEqual([5000]);
  });
});
