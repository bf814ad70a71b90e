import type {
  EngineEvent as AutomationEvent,
  DiagnosticEvent,
  SummaryEvent,
} from "@pulumi/pulumi/automation/events";
import { isDefaultProvider } from "./state/urn";

/** What the CLI calls an operation on a resource, in events and in the summary. */
export type Op =
  | "same"
  | "create"
  | "update"
  | "delete"
  | "replace"
  | "create-replacement"
  | "delete-replaced"
  | "read"
  | "read-replacement"
  | "refresh"
  | "import"
  | "import-replacement"
  | "discard"
  | "discard-replaced"
  | "remove-pending-replace";

/** An engine event as the CLI writes it to its event log, which says a little more than the Automation API's types. */
export interface EngineEvent
  extends Omit<AutomationEvent, "diagnosticEvent" | "summaryEvent" | "sequence" | "timestamp"> {
  readonly diagnosticEvent?: Omit<DiagnosticEvent, "severity"> & {
    readonly severity: DiagnosticEvent["severity"] | "debug";
  };
  readonly summaryEvent?: Omit<SummaryEvent, "policyPacks"> & {
    readonly PolicyPacks: Record<string, string>;
    readonly isPreview: boolean;
    readonly result: "succeeded" | "failed";
  };
}

/** True for what the engine does for itself, which is neither shown nor counted. */
export const isInternal = ({ op, urn }: { readonly op: string; readonly urn: string }): boolean =>
  op === "remove-pending-replace" || isDefaultProvider(urn);
