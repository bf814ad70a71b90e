import fc from "fast-check";
import { callFunction, iterateFunction } from "../../provider/core/functions/call";
import type { FunctionDefinition } from "../../provider/core/functions/define";
import type { Values } from "../../provider/core/language/object";
import type { AnyDefinition } from "../../provider/core/language/resource";
import { allFunctions } from "../../provider/functions";
import { argumentsOf, namesIn } from "./argumentsOf";
import { expectAsserted } from "./asserted";
import { expectMinimalPermissions } from "./minimalPermissions";
import { oneTimeActions } from "./oneTimeActions";
import { runStory, type Story } from "./permissionStories";
import { otherWays, procedures } from "./procedures";
import { Resource } from "./resource";
import { subjects } from "./subjects";
import type { World } from "./world";

/** A mock server, and a program that creates an object that functions can read. */
interface Scene {
  readonly definition: AnyDefinition;
  readonly world: World;
  readonly program: Values;
}

const scenes: readonly (() => Promise<Scene>)[] = [
  ...subjects.map(([, { definition, world, programs }]) => async () => {
    const [program = {}] = fc.sample(programs, { numRuns: 1, seed: 7 });
    return { definition, world: await world(), program };
  }),
  ...[...oneTimeActions, ...procedures, ...otherWays].map(([, { definition, scene }]) => async () => ({
    definition,
    ...(await scene()),
  })),
];

/** A call of each function on a server that has the object it reads; undefined if no scene has that object. */
async function callOf(definition: FunctionDefinition): Promise<Story | undefined> {
  for (const scene of scenes) {
    let args: Values | undefined;
    const open = async () => {
      const { definition: about, world, program } = await scene();
      if (about.service !== definition.service) return undefined;
      const resource = new Resource(world, about);
      await resource.create(program);
      const known = { ...program, ...about.where.id.parse(resource.id)?.address };
      // Values that the schema accepts are plain. A new server generates new IDs.
      args = argumentsOf(definition, namesIn(known)) as Values | undefined;
      return args && { about, world: world.another() };
    };
    const found = await open();
    if (found === undefined) continue;
    const story: Story = {
      definition: found.about,
      world: async () => (await open())?.world ?? found.world,
      steps: ({ world }) => [() => answerOf(definition, args ?? {}, world)],
      ...(LISTS_OF_ENTRIES.includes(definition.token) && { isShownInPart: true }),
    };
    if (!(await runStory(story)).isFailed) return story;
  }
  return undefined;
}

const LISTS_OF_ENTRIES = ["mesh:getConfigEntries", "mesh:watchConfigEntries"];

/** The result of a function, or the first result of a watch. */
async function answerOf(definition: FunctionDefinition, args: Values, world: World): Promise<unknown> {
  const caller = { connection: world.connection, log: () => undefined };
  if (definition.asks.kind !== "watch") return (await callFunction(definition, args, caller)).result;
  for await (const answer of iterateFunction(definition, args, caller)) return answer;
  return undefined;
}

const NOTHING_NEEDED = {
  "workspaces:getPublicRegistry": "the public registry needs no token",
  "scheduler:getNamespaces": "the list contains what the token may read",
  "scheduler:getNodePools": "the list contains what the token may read",
  "scheduler:getRegions": "anyone may list the regions",
};

describe.each(
  allFunctions().flatMap((definition) =>
    // A function that a resource has replaced sends no request.
    definition.replaced === undefined ? [[definition.token, definition] as const] : [],
  ),
)("the permissions that the reference documents for %s", (token, definition) => {
  test("are sufficient for a call; without any one of them the call is rejected, and the error names the permission", async () => {
    const story = await callOf(definition);
    const asserted = story === undefined ? 0 : await expectMinimalPermissions(token, story);
    expectAsserted(token, asserted, NOTHING_NEEDED);
  });
});
