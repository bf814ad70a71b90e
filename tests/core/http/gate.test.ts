import { Gate, type QueuePriority, TimeBudget } from "../../../provider/core/http/gate";
import { testRuntime } from "./clients";

const open: TimeBudget[] = [];
afterEach(() => {
  for (const timeBudget of open.splice(0)) timeBudget.close();
});

function timeBudgetOf(runtime = testRuntime(), budget = 60_000, caller?: AbortSignal): TimeBudget {
  const timeBudget = new TimeBudget(runtime, budget, caller);
  open.push(timeBudget);
  return timeBudget;
}

async function enterFirst(gate: Gate, timeBudget: TimeBudget): Promise<() => void> {
  const leave = await gate.enter(timeBudget, "first");
  if (leave === undefined) throw new Error("there was no free slot");
  return leave;
}

describe("Gate", () => {
  test("admits a retry before new requests", async () => {
    const gate = new Gate(testRuntime(), 1);
    const leave = await enterFirst(gate, timeBudgetOf());
    const order: string[] = [];
    const enter = async (name: string, again: boolean) => {
      const leaveAgain = await gate.enter(timeBudgetOf(), again ? "again" : "first");
      order.push(name);
      leaveAgain?.();
    };
    const all = [enter("new", false), enter("second new", false), enter("again", true)];
    leave();
    await Promise.all(all);
    expect(order).toEqual(["again", "new", "second new"]);
  });

  test("admits probes first, in order, then retries, then writes after a read, then new requests", async () => {
    const gate = new Gate(testRuntime(), 1);
    const leave = await enterFirst(gate, timeBudgetOf());
    const order: string[] = [];
    const enter = async (name: string, turn: QueuePriority) => {
      const leaveAgain = await gate.enter(timeBudgetOf(), turn);
      order.push(name);
      leaveAgain?.();
    };
    const all = [
      enter("new", "first"),
      enter("write", "after a read"),
      enter("again", "again"),
      enter("look", "after a write"),
      enter("second look", "after a write"),
    ];
    leave();
    await Promise.all(all);
    expect(order).toEqual(["look", "second look", "again", "write", "new"]);
  });

  test("reserves no slot for a request that was canceled while it waited", async () => {
    const gate = new Gate(testRuntime(), 1);
    const leave = await enterFirst(gate, timeBudgetOf());
    const caller = new AbortController();
    const waiting = gate.enter(timeBudgetOf(testRuntime(), 60_000, caller.signal), "first");
    caller.abort();
    expect(await waiting).toBeUndefined();
    leave();
    (await enterFirst(gate, timeBudgetOf()))();
  });

  test("frees the slot of a request whose time budget ends while the gate is closed", async () => {
    const runtime = testRuntime();
    const gate = new Gate(runtime, 1);
    gate.closeFor(10_000);
    expect(await gate.enter(timeBudgetOf(runtime, 5000), "first")).toBeUndefined();
    expect(runtime.slept).toEqual([]);
    (await enterFirst(gate, timeBudgetOf(runtime)))();
    expect(runtime.slept).toEqual([10_000]);
  });

  test("delays a request again if it is closed again during the wait", async () => {
    const runtime = testRuntime();
    const gate = new Gate(runtime, 1);
    gate.closeFor(1000);
    const timeBudget = timeBudgetOf({
      ...runtime,
      sleep: async (ms) => {
        await runtime.sleep(ms);
        if (runtime.slept.length === 1) gate.closeFor(2000);
      },
    });
    (await enterFirst(gate, timeBudget))();
    expect(runtime.slept).toEqual([1000, 2000]);
  });

  test("does not open earlier if it is closed again for a shorter time", async () => {
    const runtime = testRuntime();
    const gate = new Gate(runtime, 1);
    gate.closeFor(5000);
    gate.closeFor(1000);
    (await enterFirst(gate, timeBudgetOf(runtime)))();
    expect(runtime.slept).toEqual([5000]);
  });
});
