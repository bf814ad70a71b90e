import fc from "fast-check";
import { callFunction, iterateFunction } from "../../provider/core/functions/call";
import type { FunctionDefinition } from "../../provider/core/functions/define";
import type { Values } from "../../provider/core/language/object";
import type { AnyDefinition } from "../../provider/core/language/resource";
import { allFunctions } from "../../provider/functions";
import { argumentsOf, namesIn } from "./argumentsOf";
import { expectAsserted } from "./asserted";
import { deeds } from "./deeds";
import { otherWays, procedures } from "./procedures";
import { Resource } from "./resource";
import { expectJustEnough } from "./rightsLaw";
import { lived, type Story } from "./rightsLived";
import { subjects } from "./subjects";
import type { World } from "./world";

/** A service, and a program that puts something on it that functions can be asked about. */
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
  ...[...deeds, ...procedures, ...otherWays].map(([, { definition, scene }]) => async () => ({
    definition,
    ...(await scene()),
  })),
];

/** What each function is asked, on a service that has what it asks about; undefined where no scene has it. */
async function callOf(definition: FunctionDefinition): Promise<Story | undefined> {
  for (const scene of scenes) {
    let args: Values | undefined;
    const open = async () => {
      const { definition: about, world, program } = await scene();
      if (about.service !== definition.service) return undefined;
      const resource = new Resource(world, about);
      await resource.create(program);
      const known = { ...program, ...about.where.id.parse(resource.id)?.address };
      // What its schema takes is plain. A fresh service makes its ids anew.
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
    if (!(await lived(story)).isFailed) return story;
  }
  return undefined;
}

const LISTS_OF_ENTRIES = ["mesh:getConfigEntries", "mesh:watchConfigEntries"];

/** What it answers, or what a watch answers first. */
async function answerOf(definition: FunctionDefinition, args: Values, world: World): Promise<unknown> {
  const caller = { connection: world.connection, log: () => undefined };
  if (definition.asks.kind !== "watch") return (await callFunction(definition, args, caller)).result;
  for await (const answer of iterateFunction(definition, args, caller)) return answer;
  return undefined;
}

const NOTHING_NEEDED = { "workspaces:getPublicRegistry": "the public registry asks nobody who they are" };

describe.each(
  allFunctions().flatMap((definition) =>
    // What a resource has replaced asks nothing.
    definition.replaced === undefined ? [[definition.token, definition] as const] : [],
  ),
)("the rights that the reference names for %s", (token, definition) => {
  test("are enough for a call, and without any one of them it is refused, which the error says", async () => {
    const story = await callOf(definition);
    const asserted = story === undefined ? 0 : await expectJustEnough(token, story);
    expectAsserted(token, asserted, NOTHING_NEEDED);
  });
});
