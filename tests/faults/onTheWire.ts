import type { Answer } from "../../testing/stub/frame/answer";
import type { Fault } from "./fault";
import { type Passage, refused } from "./wire";

/** Longer than the timeout of an attempt (by default a minute), and longer than the probe after a write. */
const REQUEST_MS = 61_000;
const AFTER_THE_LOOKS_MS = 600_000;

/** Faults of the connection. */
export const onTheWire: readonly Fault[] = [
  {
    name: "refused connection",
    to: "any",
    carries: "no",
    group: "lost or late",
    hears: "not sent",
    happening: () => refused,
  },
  {
    name: "lost before it is carried out",
    to: "any",
    carries: "no",
    group: "lost or late",
    hears: "reset",
    happening: () => (passage) => passage.reset(),
  },
  {
    name: "carried out, the answer lost",
    to: "any",
    carries: "yes",
    group: "lost or late",
    hears: "reset",
    happening: () => async (passage) => {
      await passage.carryOut();
      passage.reset();
    },
  },
  {
    name: "carried out, the answer torn",
    to: "any",
    carries: "yes",
    group: "lost or late",
    hears: "reset",
    happening: () => async (passage) => passage.tear(await passage.carryOut()),
  },
  {
    name: "carried out, the answer too late",
    to: "any",
    carries: "yes",
    group: "lost or late",
    hears: "nothing",
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
    group: "lost or late",
    hears: "nothing",
    happening: () => () => undefined,
  },
  {
    name: "carried out after the probe",
    to: "writes",
    carries: "late",
    group: "lost or late",
    hears: "nothing",
    happening: () => async (passage) => {
      await passage.time.sleep(AFTER_THE_LOOKS_MS);
      await passage.carryOut();
    },
  },
  {
    name: "carried out twice, the second answered",
    to: "writes",
    carries: "twice",
    group: "carried out twice",
    hears: "answer",
    happening: () => async (passage) => {
      await passage.carryOut();
      passage.answer(await passage.carryOut());
    },
  },
];

/** From one request on no server answers, until the timeout of the operation. */
const silent = (carries: "no" | "yes"): Fault => ({
  name: `nobody answers any more, ${carries === "yes" ? "and the first is" : "nothing is"} carried out`,
  to: "any",
  carries,
  hears: "nothing",
  group: "nobody answers any more",
  lasts: true,
  happening: () => {
    let isFirst = true;
    return async (passage) => {
      if (carries === "yes" && isFirst) await passage.carryOut();
      isFirst = false;
    };
  },
});

export const silence: readonly Fault[] = [silent("no"), silent("yes")];

/** Within the minimum duration of the probe after a write (20 s), and after it. */
const LATER_MS = [1500, 25_000];

const later = (
  what: string,
  hears: "reset" | "gateway",
  tell: (passage: Passage) => void,
): readonly Fault[] =>
  LATER_MS.map((laterMs) => ({
    name: `${what}, carried out ${laterMs / 1000} s later`,
    to: "writes",
    carries: "late",
    group: "told too early",
    hears,
    laterMs,
    happening: () => async (passage) => {
      tell(passage);
      await passage.time.sleep(laterMs);
      await passage.carryOut();
    },
  }));

const UNAVAILABLE: Answer = {
  status: 503,
  headers: { "content-type": "text/html" },
  body: Buffer.from("<html>503</html>"),
};

/** Faults between a gateway and the service: the client receives something before the request is carried out. */
export const behindAGateway: readonly Fault[] = [
  ...later("the connection reset", "reset", (passage) => passage.reset()),
  ...later("503 of a gateway", "gateway", (passage) => passage.answer(UNAVAILABLE)),
];
