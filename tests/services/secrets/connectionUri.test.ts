import { redactorOf } from "../../../provider/core/state/redaction";
import queueConnection from "../../../provider/services/secrets/queueConnection";

const masked = (connectionUri: string, text: string) =>
  redactorOf(queueConnection, { connectionUri, username: "u", password: "hush-hush" }).mask(text);

test("the host of connectionUri is shown in messages, its credentials are not", () => {
  expect(masked("http://127.0.0.1:4", "no answer at http://127.0.0.1:40113")).toBe(
    "no answer at http://127.0.0.1:40113",
  );
  expect(
    masked(
      "https://admin:pass%2Fword-4711@broker:15671/?token=abcdef-4711",
      "pass/word-4711 and abcdef-4711",
    ),
  ).toBe("[secret] and [secret]");
});
