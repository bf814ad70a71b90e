import type { Values } from "../../provider/core/language/object";
import type { Deed } from "../steps/deeds";
import type { Trial } from "../steps/procedures";
import { up } from "./commands";
import type { Life, Tried } from "./tried";

/** An action, or what is only written, with every fault to be tried on it. */
export async function triedDeed({ definition, scene }: Deed): Promise<Tried> {
  const { program, another } = await scene();
  const isAction = definition.life.kind === "action";
  return {
    definition,
    world: async () => (await scene()).world,
    lives: async () => [
      { ...made(program), ...(isAction && { kind: "act", name: "act" }) },
      ...(isAction
        ? [
            {
              ...changed(withTrigger(program, "1"), withTrigger(program, "2")),
              kind: "act" as const,
              name: "act again",
            },
          ]
        : [changed(program, another ?? {})]),
    ],
  };
}

/** A procedure, with every fault to be tried on it. */
export async function triedProcedure({ definition, scene }: Trial): Promise<Tried> {
  const { program } = await scene();
  return {
    definition,
    world: async () => (await scene()).world,
    lives: async () => [
      made(program),
      {
        kind: "refresh",
        name: "refresh",
        program,
        before: (resource) => resource.create(program),
        command: (resource) => resource.refresh(),
      },
      {
        kind: "delete",
        name: "delete",
        program,
        ends: true,
        before: (resource) => resource.create(program),
        async command(resource, kept) {
          await resource.delete();
          resource.outputs = {};
          kept();
        },
      },
    ],
  };
}

const withTrigger = (program: Values, trigger: string): Values => ({ ...program, triggers: [trigger] });

const made = (program: Values): Life => ({
  kind: "create",
  name: "create",
  program,
  before: async () => undefined,
  command: (resource) => resource.create(program),
});

const changed = (from: Values, to: Values): Life => ({
  kind: "update",
  name: "update",
  program: to,
  before: (resource) => resource.create(from),
  command: (resource, kept) => up(resource, to, kept),
});
