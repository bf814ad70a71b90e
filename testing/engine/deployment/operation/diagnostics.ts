import type { EngineEvent } from "../../events";

type Severity = NonNullable<EngineEvent["diagnosticEvent"]>["severity"];

/** Emits messages to the user: output of the program and the providers, warnings and errors. */
export class Diagnostics {
  private streams = 0;
  private failing = false;

  constructor(private readonly emit: (event: EngineEvent) => void) {}

  debug = (message: string, urn = ""): void => this.say("debug", message, urn);
  info = (message: string, urn = ""): void => this.say("info", message, urn);
  warning = (message: string, urn = ""): void => this.say("warning", message, urn);
  error = (message: string, urn = ""): void => this.say("error", message, urn);

  /** Reports an error that fails the operation at its end. */
  refuse(message: string, urn = ""): void {
    this.failing = true;
    this.error(message, urn);
  }

  /** True if an error was reported with `refuse`. */
  get refused(): boolean {
    return this.failing;
  }

  /** Emits the lines of one process's output stream, which belong to no resource. */
  stream(severity: "info" | "info#err"): (line: string) => void {
    this.streams += 1;
    const streamID = this.streams;
    return (line) => this.say(severity, line, "", streamID);
  }

  say(severity: Severity, message: string, urn: string, streamID = 0, ephemeral = false): void {
    const prefix = severity === "info" || severity === "info#err" ? undefined : `${severity}: `;
    this.emit({
      diagnosticEvent: {
        ...(urn && { urn }),
        ...(prefix && { prefix }),
        message: `${message}\n`,
        color: "never",
        severity,
        ...(streamID && { streamID }),
        ...(ephemeral && { ephemeral }),
      },
    });
  }
}
