import { z } from "zod";
import { callFunction, iterateFunction } from "../../provider/core/functions/call";
import type { FunctionDefinition } from "../../provider/core/functions/define";
import type { HttpAnswer } from "../../provider/core/http/request";
import { fieldsOf, innerSchema } from "../../provider/core/language/fields";
import { connect } from "../../provider/core/requests/connection";
import { parseJson } from "../../provider/core/value/json";
import { allFunctions } from "../../provider/functions";

/** What is JSON, and nothing that any page of these services answers. */
const ANSWERS = ["true", "{}", '{"data":{}}', '{"another":"object"}', '{"data":{"another":"object"}}'];

/** A service that answers everything with this text. */
function answering(definition: FunctionDefinition, text: string) {
  const settings = { address: "http://stub.invalid", token: "t", organization: "acme" };
  const { organization: _, ...others } = settings;
  const given = "organization" in definition.service.settings ? settings : others;
  const answer: HttpAnswer = { status: 200, headers: {}, text, json: parseJson(text), attempts: 1 };
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

/** The arguments that a function must be given. */
function argumentsOf(definition: FunctionDefinition) {
  const needed = fieldsOf(definition).filter(({ required }) => required);
  const args = Object.fromEntries(
    needed.map(({ name, schema }) => [name, innerSchema(schema) instanceof z.ZodString ? "web" : 1]),
  );
  return definition.token === "workspaces:getWorkspace" ? { name: "web" } : args;
}

/** Those that a resource has replaced refuse before anything is sent. */
const asking = allFunctions().filter(({ replaced }) => replaced === undefined);

test.each(asking.map((definition) => [definition.token, definition] as const))(
  "%s takes nothing for an answer that is none",
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
        /answer|the list holds no data|names no provider registry/,
      );
    }
  },
);
