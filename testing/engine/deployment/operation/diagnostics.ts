import type { EngineEvent } from "../../events";

type Severity = NonNullable<EngineEvent["diagnosticEvent"]>["severity"];

/** What is told to the person who watches: lines of the program and the providers, warnings, errors. */
export class Diagnostics {
  private streams = 0;
  private failing = false;

  constructor(private readonly emit: (event: EngineEvent) => void) {}

  debug = (message: string, urn = ""): void => this.say("debug", message, urn);
  info = (message: string, urn = ""): void => this.say("info", message, urn);
  warning = (message: string, urn = ""): void => this.say("warning", message, urn);
  error = (message: string, urn = ""): void => this.say("error", message, urn);

  /** An error that makes the whole operation fail, though it may go on for now. */
  refuse(message: string, urn = ""): void {
    this.failing = true;
    this.error(message, urn);
  }

  /** True once something was refused. */
  get refused(): boolean {
    return this.failing;
  }

  /** Lines of one process's output stream, which belong together and to no resource. */
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
