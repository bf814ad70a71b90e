import { isInternal, type Op } from "../../events";
import { equal } from "../../state/values";
import { Bailed, errorOf } from "../operation/bailed";
import type { Diagnostics } from "../operation/diagnostics";
import type { DeployOptions } from "../operation/options";
import { ProviderFailure } from "../provider/failure";
import type { Entry } from "../record/entry";
import type { Ledger } from "../record/ledger";
import { Protected } from "../steps/protected";
import type { Step } from "../steps/step";
import { metadataOf } from "./metadata";
import { withSecretOutputs } from "./secret-outputs";
import { Slots } from "./slots";

/** The parts of a deployment that the executor uses. */
interface Workplace {
  readonly options: Pick<DeployOptions, "kind" | "emit">;
  readonly preview: boolean;
  readonly diagnostics: Diagnostics;
  readonly ledger: Ledger;
}

/** Executes steps with limited concurrency, emits their events, and updates the record before and after each. */
export class Executor {
  readonly changes: Partial<Record<Op, number>> = {};
  /** Protected resources whose deletion was refused. */
  readonly kept: Entry[] = [];
  /** True if the user should check whether the last failed operation was applied. */
  maybeCorrupt = false;
  private readonly slots: Slots;
  private readonly running = new Set<Promise<void>>();
  private readonly stop = new AbortController();
  private count = 0;
  private failedWith: Error | undefined;

  constructor(
    private readonly workplace: Workplace,
    parallel: number,
  ) {
    this.slots = new Slots(parallel);
  }

  /** Aborts when no further step may begin, after a failure or the user's cancellation. */
  get stopped(): AbortSignal {
    return this.stop.signal;
  }

  get failure(): Error | undefined {
    return this.failedWith;
  }

  cancel(): void {
    this.stop.abort();
  }

  /** Begins a chain of steps when a slot is free; `over` resolves at its end, successful or not. */
  async begin(chain: readonly Step[]): Promise<{ readonly over: Promise<void> }> {
    await this.slots.take();
    const over = this.run(chain).finally(() => {
      this.slots.free();
      this.running.delete(over);
    });
    this.running.add(over);
    return { over };
  }

  /** Runs single steps concurrently and waits for all. */
  async together(steps: readonly Step[]): Promise<void> {
    const begun = await Promise.all(steps.map((step) => this.begin([step])));
    await Promise.all(begun.map(({ over }) => over));
  }

  /** Resolves when no step is running. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  /** Emits and records outputs that arrive after the step itself. */
  async tellOutputs(step: Step): Promise<void> {
    const { ledger, options, preview } = this.workplace;
    options.emit({ resOutputsEvent: { metadata: metadataOf(step), ...(preview && { planning: true }) } });
    const [before, now] = [step.old?.state.outputs, step.new?.state.outputs];
    if (!preview && !(before && now && equal(before, now))) await ledger.save();
  }

  private async run(chain: readonly Step[]): Promise<void> {
    for (const step of chain) {
      if (this.stopped.aborted) return;
      try {
        await this.execute(step);
      } catch (error) {
        this.fail(step, errorOf(error));
        return;
      }
    }
  }

  private fail(step: Step, error: Error): void {
    this.failedWith ??= error;
    // All protected resources are reported together; their dependencies are kept too.
    if (error instanceof Protected && step.old) {
      this.kept.push(step.old);
      return;
    }
    if (!(error instanceof Bailed)) this.workplace.diagnostics.error(error.message, step.urn);
    // A refresh continues after a failure.
    if (step.op !== "refresh") this.stop.abort();
  }

  private async execute(step: Step): Promise<void> {
    const { ledger, options, preview } = this.workplace;
    const planning = preview && { planning: true };
    options.emit({ resourcePreEvent: { metadata: metadataOf(step), ...planning } });
    if (step.pending && !preview) await ledger.begin(step.pending.entry, step.pending.type);
    const failure = await this.apply(step);
    if (step.new && step.op !== "replace") {
      step.new.state = withSecretOutputs(step.new.state, this.workplace.diagnostics);
    }
    if (failure) this.reportFailure(step, failure);
    else this.reportSuccess(step);
    if (step.pending) ledger.end(step.pending.entry);
    const half = failure instanceof ProviderFailure && failure.partial !== undefined;
    const record = !failure || half ? step.commit() : true;
    if (record && !preview) await ledger.save();
    if (failure instanceof Protected) throw failure;
    if (failure) throw new Bailed(failure.message);
    step.done?.();
  }

  private async apply(step: Step): Promise<Error | undefined> {
    try {
      await step.apply();
      return undefined;
    } catch (error) {
      return errorOf(error);
    }
  }

  private reportFailure(step: Step, failure: Error): void {
    const { diagnostics, options, preview } = this.workplace;
    const urn = isInternal(step) ? "" : step.urn;
    if (preview) {
      diagnostics.error(`Preview failed: ${failure.message}`, urn);
      return;
    }
    const unclear = failure instanceof ProviderFailure && failure.unclear;
    const half = failure instanceof ProviderFailure && failure.partial !== undefined;
    if (unclear) this.maybeCorrupt = true;
    diagnostics.error(failure.message, urn);
    const status = half ? STATUS.half : unclear ? STATUS.unclear : STATUS.ok;
    options.emit({ resOpFailedEvent: { metadata: metadataOf(step), status, steps: this.count } });
  }

  private reportSuccess(step: Step): void {
    const { options, preview } = this.workplace;
    const op = options.kind === "refresh" ? (step.outcome?.() ?? step.op) : step.op;
    if (isCounted(step, op) && !isInternal(step)) {
      this.count += 1;
      this.changes[op] = (this.changes[op] ?? 0) + 1;
    }
    const custom = (step.new ?? step.old)?.state.custom;
    if (preview || custom || step.op === "refresh" || step.op === "delete") {
      options.emit({
        resOutputsEvent: { metadata: metadataOf(step, op), ...(preview && { planning: true }) },
      });
    }
  }
}

/** The event codes for a failed operation. */
const STATUS = { ok: 0, half: 1, unclear: 2 };

const isCounted = (step: Step, op: Op): boolean => step.counted?.() ?? (step.logical || op !== step.op);
