import { dynamicHandler } from "../../../provider/core/bridge/dynamic/dynamicHandler";
import { connect } from "../../../provider/core/requests/connection";
import directoryConfig from "../../../provider/services/secrets/directoryConfig";
import { type FaultInput, type Stub, startStub } from "../../../testing/stub";
import { randomBytes } from "../../bytes";
import { everythingPrinted, runsOf } from "../../redact/readable";
import { rounds } from "../../rounds";
import { testRuntime } from "../http/clients";
import { hostOf } from "./host";

let stub: Stub;
beforeAll(async () => {
  stub = await startStub({ dialect: "neutral", secrets: { seed: { tokens: { root: {} } } } });
});
afterAll(() => stub.stop());

type Quote = Extract<FaultInput, { kind: "quote" }>;

/** A PEM text: it contains white space and armour lines. */
const pem = (lines: number) =>
  [
    "-----BEGIN PRIVATE KEY-----",
    ...Array.from({ length: lines }, () => randomBytes(48).toString("base64")),
    "-----END PRIVATE KEY-----",
  ].join("\n");

const CANARIES: Readonly<Record<string, string>> = {
  "with several lines": pem(20),
  // A property test run uses 100,000 characters: encoded, that is longer than any text the redactor searches.
  "with tens of thousands of characters": randomBytes(rounds(75_000, 9_000)).toString("base64"),
  "with every character that encodings escape": Array.from(
    { length: 30 },
    (_, at) => `${at}"\\\n<&>%/ ü€😀`,
  ).join(""),
};

const MIXTURES: readonly NonNullable<Quote["spellings"]>[] = [
  ["plain"],
  ["oneLine"],
  ["json", "json", "json", "json"],
  ["json", "percent", "html"],
  ["percent", "json"],
  ["html", "base64", "json"],
  ["base64Lines", "json"],
  ["escapes", "percent"],
  ["hex", "base64"],
];

async function messagesOf(bindpass: string, quote: Omit<Quote, "kind" | "match">): Promise<string> {
  const lines: string[] = [];
  const config = {
    get: (key: string) =>
      key === "quarterdeck:dialect"
        ? "neutral"
        : JSON.stringify({ address: stub.addresses.secrets, token: "root" }),
    env: {},
  };
  const surroundings = {
    runtime: testRuntime(),
    userAgent: "test",
    warn: (line: string) => lines.push(line),
  };
  const connection = connect(directoryConfig.service, undefined, config, surroundings);
  const handler = dynamicHandler(directoryConfig, () => hostOf(() => connection, lines));
  await stub.fault({
    kind: "quote",
    match: { service: "secrets", method: "POST" },
    times: "always",
    ...quote,
  });
  const error = await handler.create({ binddn: "cn=admin", bindpass }).then(
    () => new Error("it did not fail"),
    (reason: Error) => reason,
  );
  await stub.clearFaults();
  return [everythingPrinted(error), JSON.stringify(error), ...lines].join("\n");
}

describe.each(Object.keys(CANARIES))("a secret %s", (name) => {
  const canary = CANARIES[name] ?? "";

  test.each(MIXTURES.map((spellings) => ({ spellings })))(
    "is in no error and no log line if the server quotes it as $spellings",
    async ({ spellings }) => {
      const text = await messagesOf(canary, { spellings });
      expect(text).toContain("cannot take");
      expect(text).toContain("[secret]");
      expect(runsOf(canary, text)).toEqual([]);
    },
  );

  test.each([490, 500, 510, 3, 17])(
    "is redacted if the server quotes only a part of it, from offset %d",
    async (from) => {
      for (const length of [100, 495, 505]) {
        expect(runsOf(canary, await messagesOf(canary, { from, length }))).toEqual([]);
      }
    },
  );
});
