import type { Values } from "../../provider/core/language/object";
import type { OneTimeAction } from "../steps/oneTimeActions";
import type { Trial } from "../steps/procedures";
import type { Resource } from "../steps/resource";
import type { FaultSubject, Scenario } from "./faultSubject";
import { otherUsersActionsOf } from "./otherUsersActions";
import { createScenario, deleteScenario, refreshScenario, updateScenario } from "./scenarios";

/** The fault tests of an action or a write-only resource. */
export async function actionSubject({ definition, scene }: OneTimeAction): Promise<FaultSubject> {
  const { program, another, again } = await scene();
  const isAction = definition.life.kind === "action";
  return {
    definition,
    ...otherUsersActionsOf(definition.token),
    world: async () => (await scene()).world,
    lives: async () => [
      { ...createScenario(program), ...(isAction && { kind: "act", name: "act" }) },
      ...(isAction
        ? [
            {
              ...updateScenario(withTrigger(program, "1"), withTrigger(program, "2")),
              kind: "act" as const,
              name: "act again",
              async before(resource: Resource) {
                await resource.create(withTrigger(program, "1"));
                await again?.(resource.world);
              },
            },
          ]
        : [updateScenario(program, another ?? {})]),
    ],
  };
}

/** The fault tests of a procedure, with its additional scenarios. */
export async function procedureSubject(
  { definition, scene }: Trial,
  more: (program: Values) => readonly Scenario[] = () => [],
): Promise<FaultSubject> {
  const { program } = await scene();
  return {
    definition,
    ...otherUsersActionsOf(definition.token),
    world: async () => (await scene()).world,
    lives: async () => [
      createScenario(program),
      refreshScenario(program),
      deleteScenario(program),
      ...more(program),
    ],
  };
}

const withTrigger = (program: Values, trigger: string): Values => ({ ...program, triggers: [trigger] });
