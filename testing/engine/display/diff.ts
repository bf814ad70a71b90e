import type { EngineEvent } from "../events";
import { isStack, nameOf, parseProviderReference } from "../state/urn";
import { detailsOf } from "./details";
import type { Display, DisplayOptions } from "./display";
import { hasOutputs, isInternalStep, messageOf, properties, type Step } from "./events";
import { isReplacementStep, wordsFor } from "./operations";
import { renderOutputs } from "./outputs";
import { printMap, printMapDiff, type Style } from "./printer";
import { renderSummary } from "./summary";
import { diffMaps, type MapDiff, type ShownMap } from "./values";

/** The CLI's `--diff` view: every changed resource with its changed properties. */
export class DiffDisplay implements Display {
  readonly #options: DisplayOptions;
  readonly #seen = new Map<string, Step>();
  #errored = 0;

  constructor(options: DisplayOptions) {
    this.#options = options;
  }

  show(event: EngineEvent): void {
    const { out, error, preview, debug } = this.#options;
    const { diagnosticEvent, summaryEvent, stdoutEvent } = event;
    if (diagnosticEvent) error(messageOf(diagnosticEvent, debug));
    else if (stdoutEvent) out(stdoutEvent.message);
    else if (summaryEvent) out(renderSummary(summaryEvent, { preview, errored: this.#errored }));
    else if (!isInternalStep(event)) out(this.#renderStep(event));
  }

  #renderStep({ resourcePreEvent, resOutputsEvent, resOpFailedEvent }: EngineEvent): string {
    if (resOpFailedEvent) this.#errored += 1;
    if (resourcePreEvent) return this.#renderBefore(resourcePreEvent.metadata);
    return resOutputsEvent ? this.#renderAfter(resOutputsEvent.metadata) : "";
  }

  #renderBefore(step: Step): string {
    this.#seen.set(step.urn, step);
    if (step.op === "refresh" || step.op === "import" || !isShown(step)) return "";
    return this.#renderChange(step);
  }

  #renderAfter(step: Step): string {
    if (!isShown(step)) return "";
    const refresh = this.#seen.get(step.urn)?.op === "refresh";
    if (step.op === "import" || (refresh && step.op === "update")) return this.#renderChange(step);
    const { preview, suppressOutputs, fullOutput } = this.#options;
    const indent = this.#indent(step) + 1;
    const outputs = renderOutputs(step, { indent, preview, refresh, truncated: !fullOutput });
    const header = refresh && (step.op !== "refresh" || outputs !== "" || isStack(step.urn));
    const summary = header ? this.#renderHeader(step) : "";
    if (suppressOutputs || outputs === "") return summary;
    return `${summary}${"    ".repeat(indent)}--outputs:--\n${outputs}`;
  }

  #renderChange(step: Step): string {
    if (step.op === "same") return this.#renderHeader(step);
    return (
      this.#renderHeader(step) + (step.detailedDiff ? this.#renderTold(step) : this.#renderDetails(step))
    );
  }

  /** Renders the provider's detailed diff. */
  #renderTold(step: Step): string {
    const style = this.#styleOf(step);
    const diff = detailsOf(step, { refresh: this.#seen.get(step.urn)?.op === "refresh" });
    return diff
      ? printMapDiff(diff, { ...style, signed: true })
      : printUnchanged(properties(step.old, "inputs"), style);
  }

  /** Renders the operation, the type and the identity of a resource. */
  #renderHeader(step: Step): string {
    const indent = "    ".repeat(this.#indent(step));
    const { old, new: now } = step;
    const lock = old?.protect && now && !now.protect ? " 🔓" : old?.protect || now?.protect ? " 🔒" : "";
    const retained = ["delete", "replace", "create-replacement", "delete-replaced"].includes(step.op);
    const retain = retained && old?.retainOnDelete ? "[retain]" : "";
    const lines = [
      `${indent}${wordsFor(step.op).sign}${step.type}: (${step.op}${retain})${lock}`,
      ...(old?.id ? [`${indent}    [id=${old.id}]`] : []),
      `${indent}    [urn=${step.urn}]`,
      ...providerLine(step).map((line) => `${indent}    ${line}`),
    ];
    return lines.map((line) => `${line}\n`).join("");
  }

  #renderDetails(step: Step): string {
    const style = this.#styleOf(step);
    const { old, new: now } = step;
    if (now && !old) return printMap(properties(now, hasOutputs(now) ? "outputs" : "inputs"), style);
    if (old && !now) return printMap(properties(old, "inputs"), style);
    const kind = hasOutputs(now) && step.op !== "import" ? "outputs" : "inputs";
    const diff = diffMaps(properties(old, kind), properties(now, kind));
    if (diff === undefined) return printUnchanged(properties(now, kind), style);
    return printMapDiff(kind === "inputs" ? limitDiff(diff, step.diffs) : diff, { ...style, signed: true });
  }

  #styleOf(step: Step): Style {
    const truncated = !this.#options.fullOutput;
    return { indent: this.#indent(step) + 1, op: step.op, signed: false, truncated };
  }

  /** The number of visible parents. */
  #indent(step: Step): number {
    let indent = 0;
    let parent = this.#seen.get((step.new ?? step.old)?.parent ?? "");
    while (parent !== undefined) {
      if (isShown(parent)) indent += 1;
      parent = this.#seen.get((parent.new ?? parent.old)?.parent ?? "");
    }
    return indent;
  }
}

/** True if the step is shown: the stack always, unchanged resources and the single steps of a replacement never. */
function isShown(step: Step): boolean {
  if (isStack(step.urn)) return true;
  if (step.op === "same") return (step.old?.protect ?? false) !== (step.new?.protect ?? false);
  return step.logical === true || !isReplacementStep(step.op);
}

function providerLine({ old, new: now, provider }: Step): string[] {
  if (provider === "") return [];
  if (old && now && old.provider !== now.provider) return [`[provider: ${old.provider} => ${now.provider}]`];
  return nameOf(parseProviderReference(provider).urn) === "default" ? [] : [`[provider=${provider}]`];
}

function printUnchanged(values: ShownMap, style: Style): string {
  return printMap(values, { ...style, op: "same", signed: true });
}

/** Limits a diff to the names that the provider lists, if it lists any. */
function limitDiff(diff: MapDiff, names: readonly string[] | undefined): MapDiff {
  return names?.length ? new Map([...diff].filter(([key]) => names.includes(key))) : diff;
}
