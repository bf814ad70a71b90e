import { ActionableError } from "../../provider/core/http/remedies";
import { Refused } from "../steps/refused";
import { Resource } from "../steps/resource";
import type { World } from "../steps/world";
import { dumped, exactly } from "./dumped";
import { isHeld, movedBetween } from "./leaves";
import type { Life, Tried } from "./tried";

/** The changes that another user can make during a step. */
export const DEEDS = ["edit", "delete", "equal create", "same", "undoing"] as const;
export type Deed = (typeof DEEDS)[number];

/** Another user, and what happens to their change. */
export class Stranger {
  /** The values that they changed. */
  moved: ReadonlyMap<string, string | undefined> | undefined;
  /** The content of the service after the change. */
  dump = "";
  /** Whether an error or a message reported the change before it was overwritten. */
  isShown = false;
  /** Whether the change was overwritten before it was reported. */
  isLostUnseen = false;

  constructor(
    private readonly world: World,
    private readonly tried: Tried,
  ) {}

  /**
   * Makes a change. Returns false if the service rejects it because the object does not exist, or already exists.
   * @throws Error if the change failed for a different reason
   */
  async act(deed: Deed, resource: Resource, life: Life): Promise<boolean> {
    const { stub } = this.world;
    const [before, exactlyBefore] = [dumped(stub.dump()), exactly(stub.dump())];
    try {
      await this.deedOf(deed, resource, life)?.();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (exactly(stub.dump()) !== exactlyBefore) throw error;
      return false;
    }
    this.dump = dumped(stub.dump());
    const all = movedBetween(before, this.dump);
    const moved = new Map([...all].filter(([at]) => this.isTheirs(deed, at)));
    if (moved.size > 0) this.moved = moved;
    // An equal object that already exists changes nothing. A rotated password changes values that the dump omits.
    return exactly(stub.dump()) !== exactlyBefore;
  }

  /** Checks whether the change still exists, after one of our requests was carried out. */
  look(): void {
    if (this.moved === undefined || this.isShown || this.isLostUnseen) return;
    this.isLostUnseen = !isHeld(this.moved, dumped(this.world.stub.dump()));
  }

  /** All edited values are theirs. For other changes, the definition says which values are theirs. */
  private isTheirs(deed: Deed, at: string): boolean {
    if (deed === "undoing") return false;
    return deed !== "same" || (this.tried.theirs?.test(at) ?? false);
  }

  /** The request for a change; undefined if it is not possible. */
  private deedOf(deed: Deed, resource: Resource, life: Life): (() => Promise<void>) | undefined {
    const { tried, world } = this;
    const { edit, program } = life;
    if (!canDo(deed, tried, life)) return undefined;
    if (deed === "same") return () => tried.doesTheSame?.(world) ?? NOTHING;
    if (deed === "undoing") return () => tried.undoes?.(world) ?? NOTHING;
    if (deed === "delete") return () => tried.takeAway?.(world, resource) ?? NOTHING;
    if (deed === "edit") return () => (edit && tried.edit?.(world, resource, edit)) ?? NOTHING;
    return () => new Resource(world.another(), tried.definition).create(program ?? {});
  }
}

const NOTHING = Promise.resolve();

/** Whether another user can make this change in a scenario. */
export function canDo(deed: Deed, tried: Tried, { edit, program }: Life): boolean {
  if (deed === "same") return tried.doesTheSame !== undefined;
  if (deed === "undoing") return tried.undoes !== undefined;
  if (deed === "delete") return tried.takeAway !== undefined;
  if (deed === "edit") return tried.edit !== undefined && edit !== undefined;
  return tried.edit !== undefined && program !== undefined;
}

/** A rejection by the service, or by a provider that read before it wrote. */
function isRefusal(error: unknown): boolean {
  return error instanceof Refused || error instanceof ActionableError;
}
