import { Resource } from "../steps/resource";
import type { World } from "../steps/world";
import { dumped } from "./dumped";
import { isHeld, movedBetween } from "./leaves";
import type { Life, Tried } from "./tried";

/** What somebody else may do while a step is under way. */
export type Deed = "edit" | "delete" | "equal create";

/** Somebody else, and what becomes of what they did. */
export class Stranger {
  /** What they moved, since they did. */
  moved: ReadonlyMap<string, string | undefined> | undefined;
  /** What the service held then. */
  dump = "";
  /** Whether our side was shown it, by an error or in words, before it was written over. */
  isShown = false;
  /** Whether something of theirs was written over before anybody was shown it. */
  isLostUnseen = false;

  constructor(
    private readonly world: World,
    private readonly tried: Tried,
  ) {}

  /** Whether there was anything for them to do. */
  async act(deed: Deed, resource: Resource, life: Life): Promise<boolean> {
    const before = dumped(this.world.stub.dump());
    try {
      if (!(await this.does(deed, resource, life))) return false;
    } catch {
      return false;
    }
    this.dump = dumped(this.world.stub.dump());
    const moved = movedBetween(before, this.dump);
    if (moved.size > 0) this.moved = moved;
    // An equal one that is there already moves nothing.
    return moved.size > 0;
  }

  /** Looks whether what they did is still there, after something of ours was carried out. */
  look(): void {
    if (this.moved === undefined || this.isShown || this.isLostUnseen) return;
    this.isLostUnseen = !isHeld(this.moved, dumped(this.world.stub.dump()));
  }

  private async does(deed: Deed, resource: Resource, { edit, program }: Life): Promise<boolean> {
    const { tried, world } = this;
    if (deed === "delete") {
      if (tried.takeAway === undefined) return false;
      await tried.takeAway(world, resource);
      return true;
    }
    if (deed === "edit") {
      if (tried.edit === undefined || edit === undefined) return false;
      await tried.edit(world, resource, edit);
      return true;
    }
    if (tried.edit === undefined || program === undefined) return false;
    await new Resource(world.another(), tried.definition).create(program);
    return true;
  }
}
