import { ActionableError } from "../../provider/core/http/remedies";
import { Refused } from "../steps/refused";
import { Resource } from "../steps/resource";
import type { World } from "../steps/world";
import { dumped, exactly } from "./dumped";
import { isHeld, movedBetween } from "./leaves";
import type { Life, Tried } from "./tried";

/** What somebody else may do while a step is under way. */
export const DEEDS = ["edit", "delete", "equal create", "same", "undoing"] as const;
export type Deed = (typeof DEEDS)[number];

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

  /**
   * Whether there was anything for them to do: a service refuses what is not there, or is there already.
   * @throws Error where they could not even try
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
    // An equal one that is there already moves nothing; a password that is made anew moves what no dump shows.
    return exactly(stub.dump()) !== exactlyBefore;
  }

  /** Looks whether what they did is still there, after something of ours was carried out. */
  look(): void {
    if (this.moved === undefined || this.isShown || this.isLostUnseen) return;
    this.isLostUnseen = !isHeld(this.moved, dumped(this.world.stub.dump()));
  }

  /** Whatever they edit is theirs; of what is done once, and may be done by several, only what a definition says. */
  private isTheirs(deed: Deed, at: string): boolean {
    if (deed === "undoing") return false;
    return deed !== "same" || (this.tried.theirs?.test(at) ?? false);
  }

  /** What they do; undefined where nobody can. */
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

/** Whether anybody can do that to what a life is about. */
export function canDo(deed: Deed, tried: Tried, { edit, program }: Life): boolean {
  if (deed === "same") return tried.doesTheSame !== undefined;
  if (deed === "undoing") return tried.undoes !== undefined;
  if (deed === "delete") return tried.takeAway !== undefined;
  if (deed === "edit") return tried.edit !== undefined && edit !== undefined;
  return tried.edit !== undefined && program !== undefined;
}

/** The service's own no, or that of a provider that looked before it wrote. */
function isRefusal(error: unknown): boolean {
  return error instanceof Refused || error instanceof ActionableError;
}
