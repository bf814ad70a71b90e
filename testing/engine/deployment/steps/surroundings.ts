import type { Diagnostics } from "../operation/diagnostics";
import type { Providers } from "../provider/providers";
import type { Ledger } from "../record/ledger";

/** The parts of a deployment that steps use: providers, record and diagnostics. */
export interface Surroundings {
  readonly preview: boolean;
  readonly providers: Providers;
  readonly ledger: Pick<Ledger, "add" | "drop">;
  readonly diagnostics: Diagnostics;
  /** Decisions that are complete when a step runs. */
  readonly marks: { readonly deletes: ReadonlySet<string> };
}
