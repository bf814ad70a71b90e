import type { EngineEvent } from "../events";
import { isStack, nameOf, STACK_TYPE, typeOf } from "../state/urn";
import type { Display, DisplayOptions } from "./display";
import { type Diagnostic, isInternalStep, messageOf, type Step } from "./events";
import { renderOutputs } from "./outputs";
import { countOf, isDone, newRow, placeholder, type Row, type RowContext, renderRow } from "./rows";
import { renderSummary } from "./summary";

/**
 * The CLI's progress view for a non-interactive terminal: a line for each event of a resource, and the sections at the end.
 */
export class ProgressDisplay implements Display {
  readonly #options: DisplayOptions;
  /** By URN; messages without a resource are under "" until the stack is known. */
  readonly #rows = new Map<string, Row>();
  #stackUrn = "";
  #summary: EngineEvent["summaryEvent"];
  #over = false;

  constructor(options: DisplayOptions) {
    this.#options = options;
  }

  show(event: EngineEvent): void {
    if (event.preludeEvent) this.#line("");
    else if (event.summaryEvent) this.#summary = event.summaryEvent;
    else if (event.stdoutEvent) this.#line(event.stdoutEvent.message.trimEnd());
    else if (event.diagnosticEvent) this.#onDiagnostic(event.diagnosticEvent);
    else if (event.cancelEvent) this.#end();
    else if (!isInternalStep(event)) this.#onStep(event);
  }

  #onDiagnostic(diagnostic: Diagnostic): void {
    if (messageOf(diagnostic, this.#options.debug).trim() === "") return;
    const row = this.#row(diagnostic.urn || this.#stackUrn);
    row.hidden = false;
    row.diagnostics.push(diagnostic);
    this.#print(row);
  }

  #onStep({ resourcePreEvent, resOutputsEvent, resOpFailedEvent }: EngineEvent): void {
    const step = (resourcePreEvent ?? resOutputsEvent ?? resOpFailedEvent)?.metadata;
    if (step === undefined || ["discard", "read-replacement"].includes(step.op)) return;
    if (step.op === "read") {
      const message = `read ${typeOf(step.urn)} ${nameOf(step.urn)}`;
      this.#onDiagnostic({ severity: "info", message, color: "never", ephemeral: true });
      return;
    }
    // The stack's first event does not count: an unchanged stack is shown from its second event on.
    const isStackEvent = step.urn === this.#stackUrn;
    const row = this.#row(step.urn, step);
    if (isStackEvent || isShown(step)) row.hidden = false;
    if (resourcePreEvent) {
      row.step = step;
      row.startedAt = this.#options.now();
      row.endedAt = undefined;
    } else if (resOutputsEvent) {
      const refreshed = row.step.op === "refresh";
      row.endedAt = this.#options.now();
      row.step = step;
      row.ended.push(step);
      if (!refreshed && (this.#options.preview || !this.#isTelling(step))) return;
    } else row.failed = true;
    this.#print(row);
  }

  /** True if the end of the step is shown: an operation on a custom resource other than "same". */
  #isTelling(step: Step): boolean {
    const state = step.new ?? step.old;
    return !state || (state.custom === true && step.op !== "same");
  }

  #row(urn: string, step?: Step): Row {
    const known = this.#rows.get(urn);
    if (known === undefined && isStack(urn)) {
      this.#stackUrn = urn;
      const unnamed = this.#rows.get("");
      if (unnamed !== undefined) {
        this.#rows.delete("");
        this.#rows.set(urn, unnamed);
        unnamed.step = step ?? placeholder(urn);
        return unnamed;
      }
    }
    const row = known ?? newRow(step ?? placeholder(urn));
    this.#rows.set(urn, row);
    const parent = (step?.new ?? step?.old)?.parent;
    if (parent && parent !== this.#stackUrn && !this.#rows.has(parent)) {
      this.#rows.set(parent, newRow(placeholder(parent)));
    }
    if (!this.#rows.has(this.#stackUrn)) {
      this.#rows.set(this.#stackUrn, { ...newRow(placeholder("")), hidden: false });
    }
    return row;
  }

  #end(): void {
    const unfinished = [...this.#rows.values()].filter((row) => !isDone(row, false));
    this.#over = true;
    for (const row of unfinished) this.#print(row);
    this.#printDiagnostics();
    this.#printOutputs();
    if (this.#summary === undefined) return;
    const errored = [...this.#rows.values()].filter((row) => countOf(row, ["error"]) > 0).length;
    this.#line(renderSummary(this.#summary, { preview: this.#options.preview, errored }));
  }

  #printDiagnostics(): void {
    let wroteHeader = false;
    // The stack's messages are printed last.
    const rows = [...this.#rows.values()].sort(
      (left, right) => Number(this.#isStackRow(left)) - Number(this.#isStackRow(right)),
    );
    for (const row of rows) {
      const paragraphs = this.#paragraphs(row);
      if (paragraphs.length === 0) continue;
      if (!wroteHeader) this.#line("Diagnostics:");
      wroteHeader = true;
      const { urn } = row.step;
      const context = this.#context;
      this.#line(
        urn === "" ? `  ${STACK_TYPE} (${context.stack.name}):` : `  ${typeOf(urn)} (${nameOf(urn)}):`,
      );
      for (const lines of paragraphs) {
        for (const line of lines) this.#line(`    ${line}`.trimEnd());
        this.#line("");
      }
    }
  }

  /** The messages of a row by stream; a process's output is one text. */
  #paragraphs(row: Row): string[][] {
    const streams = Map.groupBy(
      row.diagnostics.filter(({ ephemeral }) => !ephemeral),
      ({ streamID = 0 }) => streamID,
    );
    return [...streams]
      .sort(([left], [right]) => left - right)
      .map(([id, diagnostics]) => {
        const texts = diagnostics.map((diagnostic) => messageOf(diagnostic, this.#options.debug));
        const whole = id === 0 ? texts.map((text) => text.trimEnd()).join("\n") : texts.join("");
        return whole.trimEnd().split("\n");
      })
      .filter((lines) => lines.join("").trim() !== "");
  }

  #printOutputs(): void {
    const row = this.#stackUrn === "" ? undefined : this.#rows.get(this.#stackUrn);
    if (this.#options.suppressOutputs || row === undefined) return;
    const { preview, fullOutput } = this.#options;
    const text = renderOutputs(row.step, { indent: 1, preview, refresh: false, truncated: !fullOutput });
    if (text !== "") this.#line(`Outputs:\n${text}`);
  }

  #isStackRow({ step: { urn } }: Row): boolean {
    return urn === "" || isStack(urn);
  }

  #print(row: Row): void {
    if (!row.hidden) this.#line(renderRow(row, this.#context));
  }

  get #context(): RowContext {
    const { preview, debug, project, stack, now } = this.#options;
    const name = `${project}-${stack}`;
    return { preview, debug, over: this.#over, stack: { type: STACK_TYPE, name }, nameOf, typeOf, now };
  }

  #line(text: string): void {
    this.#options.out(`${text}\n`);
  }
}

/** True unless the resource is unchanged and its protection stays the same. */
function isShown(step: Step): boolean {
  return step.op !== "same" || (step.old?.protect ?? false) !== (step.new?.protect ?? false);
}
