import { ActionableError } from "../../provider/core/http/remedies";
import { RejectedRequest } from "../steps/rejectedRequest";
import { Resource } from "../steps/resource";
import type { World } from "../steps/world";
import { dumped, exactly } from "./dump";
import type { FaultSubject, Scenario } from "./faultSubject";
import { changesBetween, stillExist } from "./leaves";

/** The changes that another user can make during a step. */
export const USER_CHANGES = ["edit", "delete", "equal create", "same", "undoing"] as const;
export type UserChange = (typeof USER_CHANGES)[number];

/** Another user, and what happens to their change. */
export class OtherUser {
  /** The values that they changed. */
  changes: ReadonlyMap<string, string | undefined> | undefined;
  /** The content of the service after the change. */
  dump = "";
  /** Whether an error or a message reported the change before it was overwritten. */
  isShown = false;
  /** Whether the change was overwritten before it was reported. */
  isOverwrittenUnseen = false;

  constructor(
    private readonly world: World,
    private readonly tried: FaultSubject,
  ) {}

  /**
   * Makes a change. Returns false if the service rejects it because the object does not exist, or already exists.
   * @throws Error if the change failed for a different reason
   */
  async makeChange(userChange: UserChange, resource: Resource, life: Scenario): Promise<boolean> {
    const { stub } = this.world;
    const [before, exactlyBefore] = [dumped(stub.dump()), exactly(stub.dump())];
    try {
      await this.requestFor(userChange, resource, life)?.();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (exactly(stub.dump()) !== exactlyBefore) throw error;
      return false;
    }
    this.dump = dumped(stub.dump());
    const all = changesBetween(before, this.dump);
    const changes = new Map([...all].filter(([at]) => this.belongsToOtherUser(userChange, at)));
    if (changes.size > 0) this.changes = changes;
    // An equal object that already exists changes nothing. A rotated password changes values that the dump omits.
    return exactly(stub.dump()) !== exactlyBefore;
  }

  /** Checks whether the change still exists, after one of our requests was carried out. */
  checkOverwritten(): void {
    if (this.changes === undefined || this.isShown || this.isOverwrittenUnseen) return;
    this.isOverwrittenUnseen = !stillExist(this.changes, dumped(this.world.stub.dump()));
  }

  /** All edited values are theirs. For other changes, the definition says which values are theirs. */
  private belongsToOtherUser(userChange: UserChange, at: string): boolean {
    if (userChange === "undoing") return false;
    return userChange !== "same" || (this.tried.otherUsersPaths?.test(at) ?? false);
  }

  /** The request for a change; undefined if it is not possible. */
  private requestFor(
    userChange: UserChange,
    resource: Resource,
    life: Scenario,
  ): (() => Promise<void>) | undefined {
    const { tried, world } = this;
    const { edit, program } = life;
    if (!isPossible(userChange, tried, life)) return undefined;
    if (userChange === "same") return () => tried.repeatsAction?.(world) ?? NOTHING;
    if (userChange === "undoing") return () => tried.revertsAction?.(world) ?? NOTHING;
    if (userChange === "delete") return () => tried.takeAway?.(world, resource) ?? NOTHING;
    if (userChange === "edit") return () => (edit && tried.edit?.(world, resource, edit)) ?? NOTHING;
    return () => new Resource(world.another(), tried.definition).create(program ?? {});
  }
}

const NOTHING = Promise.resolve();

/** Whether another user can make this change in a scenario. */
export function isPossible(
  userChange: UserChange,
  tried: FaultSubject,
  { edit, program }: Scenario,
): boolean {
  if (userChange === "same") return tried.repeatsAction !== undefined;
  if (userChange === "undoing") return tried.revertsAction !== undefined;
  if (userChange === "delete") return tried.takeAway !== undefined;
  if (userChange === "edit") return tried.edit !== undefined && edit !== undefined;
  return tried.edit !== undefined && program !== undefined;
}

/** A rejection by the service, or by a provider that read before it wrote. */
function isRefusal(error: unknown): boolean {
  return error instanceof RejectedRequest || error instanceof ActionableError;
}
