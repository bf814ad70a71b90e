import type { Answer } from "../../testing/stub/frame/answer";
import type { ServiceName } from "../../testing/stub/service";
import type { Fault, FaultActions } from "./fault";
import type { Happening } from "./wire";

const bytes = (status: number, text: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { "content-type": text.startsWith("<") ? "text/html" : "application/json", ...headers },
  body: Buffer.from(text),
});

/** An error in the format of the service. */
const ERROR_BODIES: Readonly<Record<ServiceName, (words: string) => string>> = {
  workspaces: (words) => JSON.stringify({ errors: [{ status: "500", title: words }] }),
  scheduler: (words) => words,
  secrets: (words) => JSON.stringify({ errors: [words] }),
  mesh: (words) => words,
};

/** A different object of the service. */
const OTHER_OBJECTS: Readonly<Record<ServiceName, string>> = {
  workspaces: '{"data":{"id":"ws-another","type":"workspaces","attributes":{"name":"another"}}}',
  scheduler: '{"ID":"another","Name":"another","JobModifyIndex":7,"Type":"service"}',
  secrets: '{"data":{"name":"another"}}',
  mesh: '{"Kind":"service-defaults","Name":"another","ModifyIndex":7,"CreateIndex":7}',
};

const answers = (answer: (service: ServiceName) => Answer, isCarriedOut: boolean) => {
  return ({ service }: FaultActions): Happening =>
    async (passage) => {
      if (isCarriedOut) await passage.carryOut();
      passage.answer(answer(service));
    };
};

const PAGE = "<html><body>Sign in</body></html>";
const ANOTHER_OBJECT = "another object";

const INVALID_BODIES: readonly (readonly [string, (service: ServiceName) => Answer])[] = [
  ["an empty body", () => bytes(200, "")],
  ["null", () => bytes(200, "null")],
  ["{}", () => bytes(200, "{}")],
  [ANOTHER_OBJECT, (service) => bytes(200, OTHER_OBJECTS[service])],
  ["HTML", () => bytes(200, PAGE)],
];

/** Responses of gateways and of a service with an error. */
export const responseFaults: readonly Fault[] = [
  {
    name: "429",
    to: "any",
    carries: "no",
    received: "wait",
    group: "rate limit",
    happening: () => (passage) => passage.answer(bytes(429, "", { "retry-after": "2" })),
  },
  ...[502, 503, 504].map(
    (status): Fault => ({
      name: `${status} of a gateway, not carried out`,
      to: "any",
      carries: "no",
      received: "gateway",
      group: "gateway error",
      happening: answers(() => bytes(status, `<html>${status}</html>`), false),
    }),
  ),
  ...[503, 504].map(
    (status): Fault => ({
      name: `${status} of a gateway, carried out`,
      to: "any",
      carries: "yes",
      received: "gateway",
      group: "gateway error",
      happening: answers(() => bytes(status, `<html>${status}</html>`), true),
    }),
  ),
  ...[false, true].map(
    (isCarriedOut): Fault => ({
      name: `500 of the service, ${isCarriedOut ? "" : "not "}carried out`,
      to: "any",
      carries: isCarriedOut ? "yes" : "no",
      received: "error",
      group: "server error",
      happening: answers((service) => bytes(500, ERROR_BODIES[service]("internal trouble")), isCarriedOut),
    }),
  ),
  ...INVALID_BODIES.flatMap(([what, answer]) =>
    [false, true].map(
      (isCarriedOut): Fault => ({
        name: `200 with ${what}, ${isCarriedOut ? "" : "not "}carried out`,
        to: "any",
        carries: isCarriedOut ? "yes" : "no",
        received: "other",
        group: "invalid response",
        ...(what === ANOTHER_OBJECT && { isOfOtherObject: true }),
        happening: answers(answer, isCarriedOut),
      }),
    ),
  ),
  ...[401, 403].map(
    (status): Fault => ({
      name: `${status} in mid-operation`,
      to: "any",
      carries: "no",
      received: "denied",
      group: "rejected token",
      happening: answers((service) => bytes(status, ERROR_BODIES[service]("permission denied")), false),
    }),
  ),
  {
    name: "read from before the latest write",
    to: "reads",
    carries: "yes",
    received: "stale",
    group: "stale read",
    happening: () => async (passage) => passage.answer(await passage.carryOut({ stale: true })),
  },
];
