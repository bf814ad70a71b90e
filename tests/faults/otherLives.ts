import type { Values } from "../../provider/core/language/object";
import type { Deed } from "../steps/deeds";
import type { Trial } from "../steps/procedures";
import type { Resource } from "../steps/resource";
import { othersDeedsOf } from "./othersDeeds";
import { changed, created, deleted, refreshed } from "./stretches";
import type { Life, Tried } from "./tried";

/** The fault tests of an action or a write-only resource. */
export async function triedDeed({ definition, scene }: Deed): Promise<Tried> {
  const { program, another, again } = await scene();
  const isAction = definition.life.kind === "action";
  return {
    definition,
    ...othersDeedsOf(definition.token),
    world: async () => (await scene()).world,
    lives: async () => [
      { ...created(program), ...(isAction && { kind: "act", name: "act" }) },
      ...(isAction
        ? [
            {
              ...changed(withTrigger(program, "1"), withTrigger(program, "2")),
              kind: "act" as const,
              name: "act again",
              async before(resource: Resource) {
                await resource.create(withTrigger(program, "1"));
                await again?.(resource.world);
              },
            },
          ]
        : [changed(program, another ?? {})]),
    ],
  };
}

/** The fault tests of a procedure, with its additional scenarios. */
export async function triedProcedure(
  { definition, scene }: Trial,
  more: (program: Values) => readonly Life[] = () => [],
): Promise<Tried> {
  const { program } = await scene();
  return {
    definition,
    ...othersDeedsOf(definition.token),
    world: async () => (await scene()).world,
    lives: async () => [created(program), refreshed(program), deleted(program), ...more(program)],
  };
}

const withTrigger = (program: Values, trigger: string): Values => ({ ...program, triggers: [trigger] });
