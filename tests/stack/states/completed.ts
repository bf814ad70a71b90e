import type { Ran, TestStack } from "../stack";
import { recorded } from "./recording";
import { drifted, halfDone } from "./uneven";

/** The result of a command, and what it changed. */
export const changesIn = ({ changes, failure }: Ran) => ({ failure, changes: Object.keys(changes) });
/** A command that succeeds, and changes nothing. */
export const NO_CHANGES = { failure: undefined, changes: ["same"] };

/**
 * The recorded stack `uneven` shows what was recorded, and is completed: neither a preview nor a refresh writes, an update
 * completes each resource, and a destroy deletes all.
 */
export async function expectCompleted(stack: TestStack): Promise<void> {
  const { preview } = recorded("uneven");
  const parts = halfDone();
  const completing = async () => {
    drifted();
    for (const part of parts) part.make(true);
  };
  expect(await stack.preview(completing)).toMatchObject({ failure: undefined, changes: preview });
  expect(await stack.writes()).toEqual([]);
  expect(await stack.refresh()).toMatchObject({ failure: undefined });
  expect(await stack.writes()).toEqual([]);

  expect(await stack.up()).toMatchObject({ failure: undefined });
  expect(changesIn(await stack.refresh())).toEqual(NO_CHANGES);
  expect(await stack.destroy()).toMatchObject({ failure: undefined });
}
