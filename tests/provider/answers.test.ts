import { z } from "zod";
import { callFunction, iterateFunction } from "../../provider/core/functions/call";
import type { FunctionDefinition } from "../../provider/core/functions/define";
import type { HttpResponse } from "../../provider/core/http/request";
import { fieldsOf, innerSchema } from "../../provider/core/language/fields";
import { connect } from "../../provider/core/requests/connection";
import { parseJson } from "../../provider/core/value/json";
import { allFunctions } from "../../provider/functions";

/** Valid JSON that no endpoint of these services returns. */
const ANSWERS = ["true", "{}", '{"data":{}}', '{"another":"object"}', '{"data":{"another":"object"}}'];

/** A connection to a service that responds to every request with this text. */
function answering(definition: FunctionDefinition, text: string) {
  const settings = { address: "http://stub.invalid", token: "t", organization: "acme" };
  const { organization: _, ...withoutOrganization } = settings;
  const given = "organization" in definition.service.settings ? settings : withoutOrganization;
  const answer: HttpResponse = { status: 200, headers: {}, text, json: parseJson(text), attempts: 1 };
  return connect(
    definition.service,
    undefined,
    { get: (key) => (key === "quarterdeck:dialect" ? "neutral" : JSON.stringify(given)), env: {} },
    {
      runtime: { now: () => 0, sleep: async () => undefined, after: () => () => undefined, random: () => 0 },
      userAgent: "test",
      warn: () => undefined,
      createClient: () => ({ close: async () => undefined, send: async () => answer }),
    },
  );
}

/** The required arguments of a function. */
function argumentsOf(definition: FunctionDefinition) {
  const needed = fieldsOf(definition).filter(({ required }) => required);
  const args = Object.fromEntries(
    needed.map(({ name, schema }) => [name, innerSchema(schema) instanceof z.ZodString ? "web" : 1]),
  );
  return /:get(Workspace|OauthClient)$/.test(definition.token) ? { name: "web" } : args;
}

/** The functions that send requests. Functions that a resource has replaced fail before they send any. */
const sending = allFunctions().filter(({ replaced }) => replaced === undefined);

test.each(sending.map((definition) => [definition.token, definition] as const))(
  "%s rejects JSON that is not a valid response",
  async (_, definition) => {
    for (const text of ANSWERS) {
      const connection = answering(definition, text);
      const args = {
        ...argumentsOf(definition),
        ...(definition.token.endsWith("RegistryProvider") && { registryName: "private" }),
      };
      const caller = { connection, log: () => undefined, signal: AbortSignal.timeout(1000) };
      const asked =
        definition.asks.kind === "watch"
          ? iterateFunction(definition, args, caller).next()
          : callFunction(definition, args, caller);
      await expect(asked.then((found) => [text, found])).rejects.toThrow(
        /returned 200 with|the response contains no list|a list without paging information|contains no provider registry/,
      );
    }
  },
);
