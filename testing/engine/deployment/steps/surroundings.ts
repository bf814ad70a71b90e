import type { Diagnostics } from "../operation/diagnostics";
import type { Providers } from "../provider/providers";
import type { Ledger } from "../record/ledger";

/** What a deployment offers its steps: whom they ask, what they keep the record in, and whom they tell. */
export interface Surroundings {
  readonly preview: boolean;
  readonly providers: Providers;
  readonly ledger: Pick<Ledger, "add" | "drop">;
  readonly diagnostics: Diagnostics;
  /** What is decided by the time that a step is done. */
  readonly marks: { readonly deletes: ReadonlySet<string> };
}
