import { parseRecords, RECORDS } from "../../provider/core/state/records";
import { rounds } from "../rounds";
import { all } from "./all";
import { bridges } from "./bridged";
import type { Fault } from "./fault";
import type { FaultSubject, Scenario } from "./faultSubject";
import { faults } from "./faults";
import { type CommandResult, runCommand } from "./scenarioRun";
import { FILE } from "./wire";

jest.mock("../../provider/core/value/fileDigest", () => jest.requireActual("./files"));

/** The tests use every n-th cell of a definition for each bridge. */
const EVERY = rounds(7, 83);

/** What an engine receives from a command, and its state, without the IDs of requests. */
function heard({ failure, requests, state }: CommandResult) {
  const { [RECORDS]: _, __provider, ...outputs } = state.outputs;
  const all = {
    // Messages of the protocol keep no order of members.
    told: failure instanceof Error ? failure.message.split("\n").sort() : failure,
    requests: requests.map(({ method, target, body }) => [
      method,
      target,
      body === "" || body === FILE ? body : JSON.parse(body),
    ]),
    id: state.id,
    isHalfDone: state.isHalfDone,
    records: parseRecords(state.outputs),
    outputs,
  };
  return JSON.parse(JSON.stringify(all).replace(/\(request [0-9a-f]{8}\)/g, "(request)"));
}

/** The dynamic bridge cannot cancel an operation. */
const isOf = (bridge: string, { group }: Fault) => bridge === "plugin" || group !== "canceled";

/** The plugin stores the proposed program of an import, which omits defaults. */
const isProposed = (bridge: string, { kind }: Scenario) => bridge === "plugin" && kind === "import";
const only = ({ told, requests, id }: ReturnType<typeof heard>) => ({ told, requests, id });

async function* cellsOf(tried: FaultSubject): AsyncGenerator<{ life: Scenario; at: number; fault: Fault }> {
  let number = 0;
  for (const life of await tried.lives()) {
    const { requests } = await runCommand(tried, life, []);
    for (const [at, { isRead }] of requests.entries())
      for (const fault of faults) {
        if (fault.to === (isRead ? "writes" : "reads") || (fault.isRequestIndependent && at > 0)) continue;
        if (number % EVERY === 0) yield { life, at, fault };
        number += 1;
      }
  }
}

describe.each(Object.entries(bridges))("by the %s bridge", (bridge, keeping) => {
  test.each(all)(
    "reports and stores for a %s the same as the operations, after every fault",
    async (_, make) => {
      const tried = await make();
      let judged = 0;
      for await (const { life, at, fault } of cellsOf(tried)) {
        if (!isOf(bridge, fault)) continue;
        const cell = `${life.name}, request ${at}, ${fault.name}`;
        const [own, bridged] = [
          await runCommand(tried, life, [{ at, fault }]),
          await runCommand(tried, life, [{ at, fault }], keeping),
        ].map((command) => ({ cell, ...(isProposed(bridge, life) ? only(heard(command)) : heard(command)) }));
        expect(bridged).toEqual(own);
        judged += 1;
      }
      expect(judged).toBeGreaterThan(0);
    },
    600_000,
  );
});
