import type {
  EngineEvent as AutomationEvent,
  DiagnosticEvent,
  SummaryEvent,
} from "@pulumi/pulumi/automation/events";
import { isDefaultProvider } from "./state/urn";

/** The CLI's names for operations, in events and in the summary. */
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

/** An engine event in the format of the CLI's event log, which has a few more fields than the Automation API's types. */
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

/** True for the engine's internal steps, which are neither shown nor counted. */
export const isInternal = ({ op, urn }: { readonly op: string; readonly urn: string }): boolean =>
  op === "remove-pending-replace" || isDefaultProvider(urn);
