import { serviceErrorFrom, type TokenAdvice } from "../../../provider/core/http/describe";
import { type ErrorKind, ServiceError, withoutStack } from "../../../provider/core/http/errors";
import type { HttpResponse } from "../../../provider/core/http/request";
import { parseJson } from "../../../provider/core/value/json";
import { clientOf, closeClients, read, rejection, write } from "./clients";
import { serve, stopServers } from "./servers";

afterEach(async () => {
  await closeClients();
  await stopServers();
});

const reading = { service: "scheduler", words: ({ text }: HttpResponse) => text };

function answerOf(status: number, text = "no", headers: Record<string, string> = {}): HttpResponse {
  return { status, headers, text, json: undefined, attempts: 1 };
}

describe("error response", () => {
  test.each([
    [400, "Invalid"],
    [401, "Unauthenticated"],
    [403, "Forbidden"],
    [404, "NotFound"],
    [405, "Refused"],
    [409, "Refused"],
    [415, "Refused"],
    [422, "Invalid"],
    [429, "RateLimited"],
    [500, "ServiceFailed"],
    [503, "ServiceFailed"],
    [302, "Refused"],
    [200, "UnexpectedAnswer"],
  ])("with status %d becomes %s", (status, name) => {
    const error = serviceErrorFrom(read(), answerOf(status), reading);
    expect([error.name, error.constructor.name, error.status]).toEqual([name, name, status]);
    expect(error).toBeInstanceOf(ServiceError);
  });

  test("gets its class from the service's errorKind, and from its status if that returns undefined", () => {
    const errorKind = ({ text }: HttpResponse): ErrorKind | undefined =>
      text.startsWith("Enforcing job modify index") ? "checkAndSetLost" : undefined;
    const lost = serviceErrorFrom(
      write(),
      answerOf(500, "Enforcing job modify index 0: job already exists"),
      { ...reading, errorKind },
    );
    expect(lost).toMatchObject({ name: "CheckAndSetLost", outcome: "notApplied" });
    expect(serviceErrorFrom(write(), answerOf(500), { ...reading, errorKind }).name).toBe("ServiceFailed");
  });

  test("has the outcome inFlight for a write with status 500, and notApplied for a read or status 403", () => {
    expect(serviceErrorFrom(write(), answerOf(500), reading).outcome).toBe("inFlight");
    expect(serviceErrorFrom(read(), answerOf(500), reading).outcome).toBe("notApplied");
    expect(serviceErrorFrom(write(), answerOf(403), reading).outcome).toBe("notApplied");
  });

  test("with status 404 names the permission only if the service hides unauthorized objects", () => {
    const advice = (hides: boolean) =>
      serviceErrorFrom(read(), answerOf(404), { ...reading, needs: "membership", hides }).advice;
    expect(advice(true)).toBe("Check the name, the namespace and the address. The token needs membership.");
    expect(advice(false)).toBe("Check the name, the namespace and the address.");
  });

  test("has a message with the request, status, attempts, server's message and advice", () => {
    const error = serviceErrorFrom(write(), { ...answerOf(403, "Permission denied"), attempts: 2 }, reading);
    expect(error.message).toBe(
      "PUT /v1/jobs returned 403 after 2 attempts: Permission denied. " +
        "The token lacks the permission: check the token, its policies and the namespace.",
    );
  });

  test("for a rejected token names the source of the token, or says that no token is set", () => {
    const errorWith = (tokenAdvice: TokenAdvice) =>
      serviceErrorFrom(write(), answerOf(403, "Permission denied"), { ...reading, tokenAdvice }).message;
    expect(errorWith({ isSet: true, text: "The token comes from NOMAD_TOKEN." })).toMatch(
      /check the token, its policies and the namespace\. The token comes from NOMAD_TOKEN\.$/,
    );
    expect(errorWith({ isSet: false, text: "No token is set: set NOMAD_TOKEN." })).toBe(
      "PUT /v1/jobs returned 403: Permission denied. No token is set: set NOMAD_TOKEN.",
    );
  });

  test("with an empty body has a message with the request and status only", () => {
    expect(serviceErrorFrom(read(), answerOf(409, ""), reading).message).toBe(
      "GET /v1/job/web returned 409.",
    );
  });

  test.each([
    ["\u001b[31mred\u0007\r\nnext\tline\u0000", "[31mred next line"],
    ["a\u202eb\u2028c\u200bd", "a b c d"],
    ["x".repeat(10_000), `${"x".repeat(499)}…`],
    ["😀".repeat(10_000), `${"😀".repeat(499)}…`],
  ])(
    "has the server's message truncated, on one line and without control characters (%#)",
    (words, quoted) => {
      const { words: message } = serviceErrorFrom(read(), answerOf(400, words), reading);
      expect(message.replace(/^ /, "")).toBe(quoted);
    },
  );

  test.each([
    ["<!DOCTYPE html><html><head><title>Sign in</title>", {}],
    ["  <html><title>\nSign in\n</title>", {}],
    ["<title>Sign in</title>", { "content-type": "text/html; charset=utf-8" }],
  ])(
    "that is a web page is reported with its title and the advice to check the address (%#)",
    (text, headers) => {
      const { message } = serviceErrorFrom(read(), answerOf(404, text, { ...headers }), reading);
      expect(message).toContain('returned 404: a web page with the title "Sign in".');
      expect(message).toContain("check that the address belongs to the API");
    },
  );

  test.each([
    [404, "404 page not found\n"],
    [404, "Invalid URL path: not found"],
    [404, "1 error occurred:\n\t* unsupported path\n\n"],
    [405, "Invalid method"],
  ])(
    "with status %d and a message about an unknown endpoint advises to check the server's version (%#)",
    (status, text) => {
      const error = serviceErrorFrom(read(), answerOf(status, text), reading);
      expect(error.message).toContain("This server does not support the request: check the server's version");
    },
  );

  test("with status 404 for a missing object advises to check the name, namespace and address", () => {
    const error = serviceErrorFrom(read(), answerOf(404, "job not found"), reading);
    expect(error.message).toContain("Check the name, the namespace and the address");
  });

  test("with status 407 names HTTPS_PROXY", () => {
    expect(serviceErrorFrom(read(), answerOf(407), reading).message).toContain("HTTPS_PROXY");
  });

  test("has the secrets of the request masked in the server's message", () => {
    const error = serviceErrorFrom(
      write({ secrets: ["hunter2!"] }),
      answerOf(500, "cannot verify hunter2!"),
      reading,
    );
    expect(error.message).toContain("cannot verify [secret]");
  });
});

describe("body of a successful response", () => {
  test.each([
    ["a web page", "<html><title>Console</title></html>", 'a web page with the title "Console"'],
    ["truncated JSON", '{"ID":"web","Task', "invalid or truncated JSON"],
    ["plain text", "ok", "invalid or truncated JSON"],
  ])(
    "that is %s causes UnexpectedAnswer, with the outcome unknown for a write",
    async (_, text, description) => {
      const server = await serve((response) => response.end(text));
      const client = clientOf(server.address);
      const forRead = await rejection(client.send(read()));
      expect(forRead).toMatchObject({
        name: "UnexpectedAnswer",
        status: 200,
        outcome: "notApplied",
        attempts: 1,
      });
      expect(String(forRead)).toContain(description);
      const forWrite = await rejection(client.send(write()));
      expect(forWrite).toMatchObject({ name: "UnexpectedAnswer", outcome: "unknown" });
      expect(String(forWrite)).toContain(description);
    },
  );

  test.each(["true\n", "false", "null", "[]", "7"])("can be the JSON value %j", async (text) => {
    const server = await serve((response) => response.end(text));
    expect((await clientOf(server.address).send(write())).json).toEqual(parseJson(text));
  });
});

describe("withoutStack", () => {
  test("returns the same error with its message as its stack", () => {
    const error = serviceErrorFrom(read(), answerOf(403), reading);
    expect(withoutStack(error)).toBe(error);
    expect(error.stack).toBe(error.message);
  });

  test("converts a thrown value that is not an error", () => {
    expect(withoutStack("text")).toMatchObject({ message: "text", stack: "text" });
    expect(withoutStack(undefined)).toBeInstanceOf(Error);
  });
});
