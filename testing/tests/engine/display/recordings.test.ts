import { DiffDisplay } from "../../../engine/display/diff";
import type { DisplayOptions } from "../../../engine/display/display";
import { ProgressDisplay } from "../../../engine/display/progress";
import type { EngineEvent } from "../../../engine/events";
import { type Recording, recordings } from "../recorded";

/** Shows a recording's events and returns what went to standard output and to standard error. */
function show(kind: typeof ProgressDisplay | typeof DiffDisplay, { preview, events }: Recording) {
  const shown = { stdout: "", stderr: "" };
  const options: DisplayOptions = {
    stack: "dev",
    project: "harbour",
    preview,
    debug: false,
    suppressOutputs: false,
    fullOutput: false,
    out: (text) => {
      shown.stdout += text;
    },
    error: (text) => {
      shown.stderr += text;
    },
    now: () => 0,
  };
  const display = new kind(options);
  for (const event of events) display.show(withStream(event));
  return shown;
}

/** The CLI's event log does not say through which stream a message came; what a program writes ends in two ends of line. */
function withStream(event: EngineEvent): EngineEvent {
  const { diagnosticEvent } = event;
  return diagnosticEvent?.message.endsWith("\n\n")
    ? { ...event, diagnosticEvent: { ...diagnosticEvent, streamID: 1 } }
    : event;
}

/** What the CLI showed after its headline, without what it says of the stack when it is done. */
function recorded(stdout: string): string {
  return stdout
    .slice(stdout.indexOf("\n") + 1)
    .replace(/\nThe resources in the stack have been deleted[\s\S]*$/, "\n");
}

/** Without times, and with what the CLI keeps in no order put into one. */
function comparable(text: string): string {
  const [lines = "", ...sections] = text
    .replaceAll(/ \(\d+(\.\d+)?s\)/g, "")
    .replaceAll(/Duration: .*/g, "Duration")
    .split(/^(?=\w+:$)/m);
  return [
    lines.replace(/(?:^.{3} pulumi:pulumi:Stack [^\n]*\n)+(?![\s\S])/m, (last) =>
      last.split("\n").sort().join("\n"),
    ),
    ...sections.map((section) =>
      section.startsWith("Diagnostics:") ? section.split("\n").sort().join("\n") : section,
    ),
  ].join("");
}

describe("the progress view", () => {
  test.each(recordings())("shows $name as the CLI does", (recording) => {
    const { stdout, stderr } = show(ProgressDisplay, recording);
    expect(comparable(stdout)).toBe(comparable(recorded(recording.stdout)));
    expect(stderr).toBe("");
  });

  test("masks every secret", () => {
    for (const recording of recordings())
      expect(show(ProgressDisplay, recording).stdout).not.toContain("hidden-");
  });
});

describe("the view with differences", () => {
  const compared = recordings().filter(({ diff }) => diff !== undefined);

  test.each(compared)("shows $name as the CLI does", (recording) => {
    const { stdout, stderr } = show(DiffDisplay, recording);
    expect(stdout).toBe(recorded(recording.diff?.stdout ?? ""));
    // What the program writes comes through pipes of its own, in no certain order with its log messages.
    expect(stderr.split("\n").sort()).toEqual((recording.diff?.stderr ?? "").split("\n").sort());
  });

  test("masks every secret", () => {
    for (const recording of compared) expect(show(DiffDisplay, recording).stdout).not.toContain("hidden-");
  });
});
