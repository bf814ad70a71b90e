import type { Answer } from "../../testing/stub/frame/answer";
import type { ServiceName } from "../../testing/stub/service";
import { type Happening, passes, refused } from "./wire";

/** What a fault may do beside the wire, while a step is under way. */
export interface Around {
  readonly service: ServiceName;
  /** The person or the pipeline gives up. */
  cancel(): void;
  /** The provider's process ends; what it was told last is lost with it. */
  kill(): void;
}

/** One thing that goes wrong with one request. */
export interface Fault {
  readonly name: string;
  /** Which requests it can happen to. */
  readonly to: "any" | "reads" | "writes";
  /** What becomes of the request: whether the service carries it out, and what the client hears. */
  readonly carries: "no" | "yes" | "late" | "twice";
  readonly hears: Heard;
  happening(around: Around): Happening;
}

/** What the client hears of a request: the kinds of which a rule may speak. */
export type Heard =
  /** Nothing was sent, and it knows. */
  | "not sent"
  /** The connection ended. */
  | "reset"
  /** No answer in time. */
  | "nothing"
  /** A refusal that is to be repeated. */
  | "wait"
  /** A gateway's words. */
  | "gateway"
  /** The service's own error. */
  | "error"
  /** The service's own refusal of the token. */
  | "denied"
  /** A success that is not the endpoint's. */
  | "other"
  /** The answer, whole. */
  | "answer"
  /** An answer from before the latest write. */
  | "stale"
  /** Its caller is gone. */
  | "gone";

/** Longer than an attempt may take (a minute where nothing else is said), and than the looks after it go on. */
const REQUEST_MS = 61_000;
const AFTER_THE_LOOKS_MS = 600_000;

const bytes = (status: number, text: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { "content-type": text.startsWith("<") ? "text/html" : "application/json", ...headers },
  body: Buffer.from(text),
});

/** An error of the service's own, in its own shape. */
const WORDS: Readonly<Record<ServiceName, (words: string) => string>> = {
  workspaces: (words) => JSON.stringify({ errors: [{ status: "500", title: words }] }),
  scheduler: (words) => words,
  secrets: (words) => JSON.stringify({ errors: [words] }),
  mesh: (words) => words,
};

/** An object of the service's own that nobody asked for. */
const ANOTHER: Readonly<Record<ServiceName, string>> = {
  workspaces: '{"data":{"id":"ws-another","type":"workspaces","attributes":{"name":"another"}}}',
  scheduler: '{"ID":"another","Name":"another","JobModifyIndex":7,"Type":"service"}',
  secrets: '{"data":{"name":"another"}}',
  mesh: '{"Kind":"service-defaults","Name":"another","ModifyIndex":7,"CreateIndex":7}',
};

const answers = (answer: (service: ServiceName) => Answer, isCarriedOut: boolean) => {
  return ({ service }: Around): Happening =>
    async (passage) => {
      if (isCarriedOut) await passage.carryOut();
      passage.answer(answer(service));
    };
};

const PAGE = "<html><body>Sign in</body></html>";
const HOLLOW: readonly (readonly [string, (service: ServiceName) => Answer])[] = [
  ["an empty body", () => bytes(200, "")],
  ["null", () => bytes(200, "null")],
  ["{}", () => bytes(200, "{}")],
  ["another object", (service) => bytes(200, ANOTHER[service])],
  ["HTML", () => bytes(200, PAGE)],
];

/** The wire's own faults. */
const onTheWire: readonly Fault[] = [
  { name: "refused connection", to: "any", carries: "no", hears: "not sent", happening: () => refused },
  {
    name: "lost before it is carried out",
    to: "any",
    carries: "no",
    hears: "reset",
    happening: () => (passage) => passage.reset(),
  },
  {
    name: "carried out, the answer lost",
    to: "any",
    carries: "yes",
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
    hears: "reset",
    happening: () => async (passage) => passage.tear(await passage.carryOut()),
  },
  {
    name: "carried out, the answer too late",
    to: "any",
    carries: "yes",
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
    hears: "nothing",
    happening: () => () => undefined,
  },
  {
    name: "carried out after the looks",
    to: "writes",
    carries: "late",
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
    hears: "answer",
    happening: () => async (passage) => {
      await passage.carryOut();
      passage.answer(await passage.carryOut());
    },
  },
];

/** Answers of somebody else, and of a service in trouble. */
const inTheServicesPlace: readonly Fault[] = [
  {
    name: "429",
    to: "any",
    carries: "no",
    hears: "wait",
    happening: () => (passage) => passage.answer(bytes(429, "", { "retry-after": "2" })),
  },
  ...[502, 503, 504].map(
    (status): Fault => ({
      name: `${status} of a gateway, not carried out`,
      to: "any",
      carries: "no",
      hears: "gateway",
      happening: answers(() => bytes(status, `<html>${status}</html>`), false),
    }),
  ),
  {
    name: "504 of a gateway, carried out",
    to: "any",
    carries: "yes",
    hears: "gateway",
    happening: answers(() => bytes(504, "<html>504</html>"), true),
  },
  ...[false, true].map(
    (isCarriedOut): Fault => ({
      name: `500 of the service, ${isCarriedOut ? "" : "not "}carried out`,
      to: "any",
      carries: isCarriedOut ? "yes" : "no",
      hears: "error",
      happening: answers((service) => bytes(500, WORDS[service]("internal trouble")), isCarriedOut),
    }),
  ),
  ...HOLLOW.flatMap(([what, answer]) =>
    [false, true].map(
      (isCarriedOut): Fault => ({
        name: `200 with ${what}, ${isCarriedOut ? "" : "not "}carried out`,
        to: "any",
        carries: isCarriedOut ? "yes" : "no",
        hears: "other",
        happening: answers(answer, isCarriedOut),
      }),
    ),
  ),
  ...[401, 403].map(
    (status): Fault => ({
      name: `${status} in mid-operation`,
      to: "any",
      carries: "no",
      hears: "denied",
      happening: answers((service) => bytes(status, WORDS[service]("permission denied")), false),
    }),
  ),
  {
    name: "read from before the latest write",
    to: "reads",
    carries: "yes",
    hears: "stale",
    happening: () => async (passage) => passage.answer(await passage.carryOut({ stale: true })),
  },
];

/** What happens to the one who asks. */
const toTheCaller: readonly Fault[] = [
  {
    name: "cancelled before it is sent",
    to: "any",
    carries: "no",
    hears: "gone",
    happening:
      ({ cancel }) =>
      (passage) => {
        cancel();
        passage.reset();
      },
  },
  {
    name: "cancelled while it is carried out",
    to: "any",
    carries: "yes",
    hears: "gone",
    happening:
      ({ cancel }) =>
      async (passage) => {
        cancel();
        passage.answer(await passage.carryOut());
      },
  },
  {
    name: "cancelled when it is answered",
    to: "any",
    carries: "yes",
    hears: "gone",
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
    hears: "gone",
    happening:
      ({ kill }) =>
      () =>
        kill(),
  },
  {
    name: "killed when it is carried out",
    to: "any",
    carries: "yes",
    hears: "gone",
    happening:
      ({ kill }) =>
      async (passage) => {
        await passage.carryOut();
        kill();
      },
  },
];

/** Everything that can go wrong with a request where nobody else acts. */
export const faults: readonly Fault[] = [...onTheWire, ...inTheServicesPlace, ...toTheCaller];

/** No fault at all. */
export const none: Fault = {
  name: "none",
  to: "any",
  carries: "yes",
  hears: "answer",
  happening: () => passes,
};
