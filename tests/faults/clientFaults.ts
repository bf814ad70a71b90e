import type { Fault } from "./fault";

/** Faults of the client. */
export const clientFaults: readonly Fault[] = [
  {
    name: "canceled before it is sent",
    to: "any",
    carries: "no",
    received: "gone",
    group: "canceled",
    happening:
      ({ cancel }) =>
      (passage) => {
        cancel();
        passage.reset();
      },
  },
  {
    name: "canceled while it is carried out",
    to: "any",
    carries: "yes",
    received: "gone",
    group: "canceled",
    happening:
      ({ cancel }) =>
      async (passage) => {
        cancel();
        passage.answer(await passage.carryOut());
      },
  },
  {
    name: "canceled when it is answered",
    to: "any",
    carries: "yes",
    received: "gone",
    group: "canceled",
    happening:
      ({ cancel }) =>
      async (passage) => {
        passage.answer(await passage.carryOut());
        cancel();
      },
  },
  {
    name: "killed before it is carried out",
    to: "any",
    carries: "no",
    received: "gone",
    group: "killed",
    happening:
      ({ kill }) =>
      () =>
        kill(),
  },
  {
    name: "killed when it is carried out",
    to: "any",
    carries: "yes",
    received: "gone",
    group: "killed",
    happening:
      ({ kill }) =>
      async (passage) => {
        await passage.carryOut();
        kill();
      },
  },
];
