import { DiffDisplay } from "../../../engine/display/diff";
import type { DisplayOptions } from "../../../engine/display/display";
import { ProgressDisplay } from "../../../engine/display/progress";
import type { EngineEvent } from "../../../engine/events";
import { type Recording, recordings } from "../recorded";

/** Displays the events of a recording and returns standard output and standard error. */
function show(kind: typeof ProgressDisplay | typeof DiffDisplay, { preview, events }: Recording) {
  const printed = { stdout: "", stderr: "" };
  const options: DisplayOptions = {
    stack: "dev",
    project: "harbour",
    preview,
    debug: false,
    suppressOutputs: false,
    fullOutput: false,
    out: (text) => {
      printed.stdout += text;
    },
    error: (text) => {
      printed.stderr += text;
    },
    now: () => 0,
  };
  const display = new kind(options);
  for (const event of events) display.show(withStream(event));
  return printed;
}

/** The event log of the CLI does not contain the stream of a message. Output of a program ends with two newlines. */
function withStream(event: EngineEvent): EngineEvent {
  const { diagnosticEvent } = event;
  return diagnosticEvent?.message.endsWith("\n\n")
    ? { ...event, diagnosticEvent: { ...diagnosticEvent, streamID: 1 } }
    : event;
}

/** The output of the CLI after its headline, without its closing remark about the stack. */
function recorded(stdout: string): string {
  return stdout
    .slice(stdout.indexOf("\n") + 1)
    .replace(/\nThe resources in the stack have been deleted[\s\S]*$/, "\n");
}

/** The output without times, with sorted lines where the order of the CLI is not fixed. */
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

describe("the diff view", () => {
  const compared = recordings().filter(({ diff }) => diff !== undefined);

  test.each(compared)("shows $name as the CLI does", (recording) => {
    const { stdout, stderr } = show(DiffDisplay, recording);
    expect(stdout).toBe(recorded(recording.diff?.stdout ?? ""));
    // Output of the program comes through separate pipes, so its order relative to log messages is not fixed.
    expect(stderr.split("\n").sort()).toEqual((recording.diff?.stderr ?? "").split("\n").sort());
  });

  test("masks every secret", () => {
    for (const recording of compared) expect(show(DiffDisplay, recording).stdout).not.toContain("hidden-");
  });
});
