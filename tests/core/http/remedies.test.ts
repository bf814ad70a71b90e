import { serviceError } from "../../../provider/core/http/errors";
import {
  ActionableError,
  again,
  editProgram,
  formatMessage,
  inspect,
  manualCheck,
  NOTHING_TO_DO,
  refreshFirst,
  remediesOf,
  removeObject,
  rerunUp,
  set,
} from "../../../provider/core/http/remedies";
import {
  type Adoption,
  AlreadyExistsError,
  ConflictError,
  GoneError,
  PartialError,
} from "../../../provider/core/state/errors";
import type { Path } from "../../../provider/core/value/path";
import { NO_INPUTS } from "../../../provider/core/value/programInputs";

const kindsOf = (error: Error) => remediesOf(error)?.map(({ kind }) => kind);

describe("error message", () => {
  test.each([
    ["one remedy", [rerunUp(", which goes on")], "It failed. Next: pulumi up again, which goes on."],
    [
      "two alternative remedies",
      [editProgram("unlock the workspace first"), set("forceDelete", true)],
      "It failed. Next: unlock the workspace first; or set forceDelete: true.",
    ],
    ["a manual check", [manualCheck("Check the token.")], "It failed. Check the token."],
    ["an empty manual check", [manualCheck("")], "It failed."],
    [
      "a manual check and a command",
      [manualCheck("Compare them."), again()],
      "It failed. Compare them. Next: the same command again.",
    ],
    ["nothing to do", NOTHING_TO_DO, "It failed."],
  ])("with %s has one line", (_, remedies, text) => {
    expect(formatMessage("It failed.", remedies)).toBe(text);
  });

  test("lists remedies with goals on one aligned line per goal", () => {
    const remedies = [
      inspect("pulumi preview"),
      refreshFirst("pulumi refresh, then pulumi up", "to keep yours"),
      set("onConflict", "overwrite", { to: "to keep yours" }),
      removeObject("remove it", "to make it anew"),
    ];
    expect(formatMessage("It failed.", remedies)).toBe(
      [
        "It failed.",
        "  to inspect:      pulumi preview",
        '  to keep yours:   pulumi refresh, then pulumi up; or set onConflict: "overwrite"',
        "  to make it anew: remove it",
      ].join("\n"),
    );
  });

  test("has the remedy on a new line if it ends with a table", () => {
    expect(formatMessage("It failed:\n  a  b", [rerunUp()])).toBe(
      "It failed:\n  a  b\n  Next: pulumi up again.",
    );
  });

  test("has a summary with the manual check but without the next command", () => {
    expect(new ActionableError("It failed.", [manualCheck("Check it."), again()]).summary).toBe(
      "It failed. Check it.",
    );
  });
});

describe("remedies", () => {
  test("of AlreadyExistsError start with adoption, or with removal if adoption is impossible", () => {
    const found = (adoption?: Adoption) =>
      kindsOf(
        new AlreadyExistsError("it", { differences: [], properties: [], ...(adoption && { adoption }) }),
      );
    expect(found({ type: "scheduler:Job", id: "it", isIdentical: false })).toEqual([
      "set",
      "import",
      "remove",
      "edit",
    ]);
    expect(found({ type: "scheduler:Job", id: "it", isIdentical: true })).toEqual([
      "set",
      "edit",
      "import",
      "remove",
      "edit",
    ]);
    expect(found()).toEqual(["remove", "edit"]);
  });

  test("of GoneError are a refresh", () => {
    expect(kindsOf(new GoneError("it", "the service says so", false))).toEqual(["refresh"]);
  });

  const secrecy = {
    isSecret: () => false,
    isSecretKey: () => false,
    isCopy: () => false,
    shownPath: (path: Path) => path,
    mask: (text: string) => text,
  };
  const conflictFacts = { resource: "it", differences: [], secrecy };

  test("of ConflictError start with an inspection and offer a refresh before an overwrite", () => {
    expect(kindsOf(new ConflictError({ ...conflictFacts, step: "update" }))).toEqual([
      "look",
      "edit",
      "refresh",
      "set",
    ]);
    expect(kindsOf(new ConflictError({ ...conflictFacts, step: "delete" }))).toEqual([
      "look",
      "edit",
      "refresh",
    ]);
  });

  test("of ConflictError at the first observation do not include a refresh", () => {
    const error = new ConflictError({ ...conflictFacts, step: "update", isFirstLook: true });
    expect(kindsOf(error)).toEqual(["look", "edit", "again"]);
  });

  test("of PartialError are the remedies of its reason", () => {
    const reason = new ActionableError("It failed.", [set("cancelRunning", true)]);
    const error = new PartialError("id", {}, NO_INPUTS, reason);
    expect(kindsOf(error)).toEqual(["set"]);
    expect(error.message).toBe(reason.message);
  });

  test("are the same command for a cancel, a refresh for a failed precondition, and none for invalid input", () => {
    const facts = { service: "s", method: "PUT", path: "/", event: "e", attempts: 1 };
    const of = (kind: Parameters<typeof serviceError>[0]) => {
      const error = serviceError(kind, { ...facts, advice: "" });
      return error.remedies.filter((remedy) => remedy.kind !== "check").map((remedy) => remedy.kind);
    };
    expect([of("canceled"), of("checkAndSetLost"), of("invalid")]).toEqual([["again"], ["refresh"], []]);
  });

  test("are undefined for an error of another class", () => {
    expect(remediesOf(new Error("it failed"))).toBeUndefined();
  });
});
