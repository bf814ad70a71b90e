import type { Answer } from "../../testing/stub/frame/answer";
import type { Fault } from "./fault";
import { type Passage, refused } from "./wire";

/** Longer than the timeout of an attempt (by default a minute), and longer than the probe after a write. */
const REQUEST_MS = 61_000;
const AFTER_THE_LOOKS_MS = 600_000;

/** Faults of the connection. */
export const connectionFaults: readonly Fault[] = [
  {
    name: "refused connection",
    to: "any",
    carries: "no",
    group: "lost or delayed message",
    received: "not sent",
    happening: () => refused,
  },
  {
    name: "lost before it is carried out",
    to: "any",
    carries: "no",
    group: "lost or delayed message",
    received: "reset",
    happening: () => (passage) => passage.reset(),
  },
  {
    name: "carried out, the answer lost",
    to: "any",
    carries: "yes",
    group: "lost or delayed message",
    received: "reset",
    happening: () => async (passage) => {
      await passage.carryOut();
      passage.reset();
    },
  },
  {
    name: "carried out, the answer torn",
    to: "any",
    carries: "yes",
    group: "lost or delayed message",
    received: "reset",
    happening: () => async (passage) => passage.truncate(await passage.carryOut()),
  },
  {
    name: "carried out, the answer too late",
    to: "any",
    carries: "yes",
    group: "lost or delayed message",
    received: "nothing",
    happening: () => async (passage) => {
      const answer = await passage.carryOut();
      await passage.time.sleep(REQUEST_MS);
      passage.answer(answer);
    },
  },
  {
    name: "never carried out nor answered",
    to: "any",
    carries: "no",
    group: "lost or delayed message",
    received: "nothing",
    happening: () => () => undefined,
  },
  {
    name: "carried out after the probe",
    to: "writes",
    carries: "late",
    group: "lost or delayed message",
    received: "nothing",
    happening: () => async (passage) => {
      await passage.time.sleep(AFTER_THE_LOOKS_MS);
      await passage.carryOut();
    },
  },
  {
    name: "carried out twice, the second answered",
    to: "writes",
    carries: "twice",
    group: "executed twice",
    received: "answer",
    happening: () => async (passage) => {
      await passage.carryOut();
      passage.answer(await passage.carryOut());
    },
  },
];

/** From one request on no server answers, until the timeout of the operation. */
const noResponses = (carries: "no" | "yes"): Fault => ({
  name: `nobody answers any more, ${carries === "yes" ? "and the first is" : "nothing is"} carried out`,
  to: "any",
  carries,
  received: "nothing",
  group: "no further responses",
  lasts: true,
  happening: () => {
    let isFirst = true;
    return async (passage) => {
      if (carries === "yes" && isFirst) await passage.carryOut();
      isFirst = false;
    };
  },
});

export const silenceFaults: readonly Fault[] = [noResponses("no"), noResponses("yes")];

/** Within the minimum duration of the probe after a write (20 s), and after it. */
const LATER_MS = [1500, 25_000];

const lateFaults = (
  what: string,
  received: "reset" | "gateway",
  respond: (passage: Passage) => void,
): readonly Fault[] =>
  LATER_MS.map((delayMs) => ({
    name: `${what}, carried out ${delayMs / 1000} s later`,
    to: "writes",
    carries: "late",
    group: "response before execution",
    received,
    delayMs,
    happening: () => async (passage) => {
      respond(passage);
      await passage.time.sleep(delayMs);
      await passage.carryOut();
    },
  }));

const UNAVAILABLE: Answer = {
  status: 503,
  headers: { "content-type": "text/html" },
  body: Buffer.from("<html>503</html>"),
};

/** Faults between a gateway and the service: the client receives something before the request is carried out. */
export const gatewayFaults: readonly Fault[] = [
  ...lateFaults("the connection reset", "reset", (passage) => passage.reset()),
  ...lateFaults("503 of a gateway", "gateway", (passage) => passage.answer(UNAVAILABLE)),
];
