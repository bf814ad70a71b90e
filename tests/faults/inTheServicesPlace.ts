import type { Answer } from "../../testing/stub/frame/answer";
import type { ServiceName } from "../../testing/stub/service";
import type { Around, Fault } from "./fault";
import type { Happening } from "./wire";

const bytes = (status: number, text: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { "content-type": text.startsWith("<") ? "text/html" : "application/json", ...headers },
  body: Buffer.from(text),
});

/** An error in the format of the service. */
const WORDS: Readonly<Record<ServiceName, (words: string) => string>> = {
  workspaces: (words) => JSON.stringify({ errors: [{ status: "500", title: words }] }),
  scheduler: (words) => words,
  secrets: (words) => JSON.stringify({ errors: [words] }),
  mesh: (words) => words,
};

/** A different object of the service. */
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
const ANOTHER_OBJECT = "another object";

const HOLLOW: readonly (readonly [string, (service: ServiceName) => Answer])[] = [
  ["an empty body", () => bytes(200, "")],
  ["null", () => bytes(200, "null")],
  ["{}", () => bytes(200, "{}")],
  [ANOTHER_OBJECT, (service) => bytes(200, ANOTHER[service])],
  ["HTML", () => bytes(200, PAGE)],
];

/** Responses of gateways and of a service with an error. */
export const inTheServicesPlace: readonly Fault[] = [
  {
    name: "429",
    to: "any",
    carries: "no",
    hears: "wait",
    group: "asked to wait",
    happening: () => (passage) => passage.answer(bytes(429, "", { "retry-after": "2" })),
  },
  ...[502, 503, 504].map(
    (status): Fault => ({
      name: `${status} of a gateway, not carried out`,
      to: "any",
      carries: "no",
      hears: "gateway",
      group: "a gateway's error",
      happening: answers(() => bytes(status, `<html>${status}</html>`), false),
    }),
  ),
  ...[503, 504].map(
    (status): Fault => ({
      name: `${status} of a gateway, carried out`,
      to: "any",
      carries: "yes",
      hears: "gateway",
      group: "a gateway's error",
      happening: answers(() => bytes(status, `<html>${status}</html>`), true),
    }),
  ),
  ...[false, true].map(
    (isCarriedOut): Fault => ({
      name: `500 of the service, ${isCarriedOut ? "" : "not "}carried out`,
      to: "any",
      carries: isCarriedOut ? "yes" : "no",
      hears: "error",
      group: "the service's error",
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
        group: "a false answer",
        ...(what === ANOTHER_OBJECT && { isAnothers: true }),
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
      group: "a refused token",
      happening: answers((service) => bytes(status, WORDS[service]("permission denied")), false),
    }),
  ),
  {
    name: "read from before the latest write",
    to: "reads",
    carries: "yes",
    hears: "stale",
    group: "an old answer",
    happening: () => async (passage) => passage.answer(await passage.carryOut({ stale: true })),
  },
];
