import { serviceError } from "../../../provider/core/http/errors";
import {
  ActionableError,
  again,
  editProgram,
  formatMessage,
  look,
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

describe("the text of an error", () => {
  test.each([
    ["one way", [rerunUp(", which goes on")], "It failed. Next: pulumi up again, which goes on."],
    [
      "a choice",
      [editProgram("unlock it first"), set("forceDelete", true)],
      "It failed. Next: unlock it first; or set forceDelete: true.",
    ],
    ["what to see to", [manualCheck("Check the token.")], "It failed. Check the token."],
    ["what the service itself says", [manualCheck("")], "It failed."],
    [
      "what to see to, and what to run",
      [manualCheck("Compare them."), again()],
      "It failed. Compare them. Next: the same command again.",
    ],
    ["nothing to do", NOTHING_TO_DO, "It failed."],
  ])("ends with %s in a sentence", (_, ways, text) => {
    expect(formatMessage("It failed.", ways)).toBe(text);
  });

  test("has a line for each end that ways lead to, with all that lead there, aligned", () => {
    const ways = [
      look("pulumi preview"),
      refreshFirst("pulumi refresh, then pulumi up", "to insist"),
      set("onConflict", "overwrite", { to: "to insist" }),
      removeObject("remove it", "to make it anew"),
    ];
    expect(formatMessage("It failed.", ways)).toBe(
      [
        "It failed.",
        "  to look:         pulumi preview",
        '  to insist:       pulumi refresh, then pulumi up; or set onConflict: "overwrite"',
        "  to make it anew: remove it",
      ].join("\n"),
    );
  });

  test("goes on below a table, never in its last row", () => {
    expect(formatMessage("It failed:\n  a  b", [rerunUp()])).toBe(
      "It failed:\n  a  b\n  Next: pulumi up again.",
    );
  });

  test("is told without what to run next by an error that says so itself, but with what to see to", () => {
    expect(new ActionableError("It failed.", [manualCheck("Check it."), again()]).summary).toBe(
      "It failed. Check it.",
    );
  });
});

describe("the first way on", () => {
  test("of an object that was found is to take it over, where that can be said, else to remove it", () => {
    const found = (adoption?: Adoption) =>
      kindsOf(
        new AlreadyExistsError("it", { differences: [], properties: [], ...(adoption && { adoption }) }),
      );
    expect(found({ id: "it", isIdentical: false })).toEqual(["set", "import", "remove", "edit"]);
    expect(found({ id: "it", isIdentical: true })).toEqual(["set", "edit", "import", "remove", "edit"]);
    expect(found()).toEqual(["remove", "edit"]);
  });

  test("of what is gone is a refresh", () => {
    expect(kindsOf(new GoneError("it", "the service says so", false))).toEqual(["refresh"]);
  });

  const secrecy = {
    isSecret: () => false,
    isSecretKey: () => false,
    isCopy: () => false,
    shownPath: (path: Path) => path,
    mask: (text: string) => text,
  };
  const moved = { resource: "it", differences: [], secrecy };

  test("of a conflict is to look, and none overwrites before theirs are offered", () => {
    expect(kindsOf(new ConflictError({ ...moved, step: "update" }))).toEqual([
      "look",
      "edit",
      "refresh",
      "set",
    ]);
    expect(kindsOf(new ConflictError({ ...moved, step: "delete" }))).toEqual(["look", "edit", "refresh"]);
  });

  test("of what was found at a first look needs no refresh, because it is recorded", () => {
    const error = new ConflictError({ ...moved, step: "update", isFirstLook: true });
    expect(kindsOf(error)).toEqual(["look", "edit", "again"]);
  });

  test("of what is half made is that of its reason", () => {
    const reason = new ActionableError("It failed.", [set("cancelRunning", true)]);
    const error = new PartialError("id", {}, NO_INPUTS, reason);
    expect(kindsOf(error)).toEqual(["set"]);
    expect(error.message).toBe(reason.message);
  });

  test("of what was cancelled is the same command, of a lost check a refresh, of a refusal what the service says", () => {
    const facts = { service: "s", method: "PUT", path: "/", event: "e", attempts: 1 };
    const of = (kind: Parameters<typeof serviceError>[0]) => {
      const error = serviceError(kind, { ...facts, advice: "" });
      return error.remedies.filter((way) => way.kind !== "check").map((way) => way.kind);
    };
    expect([of("cancelled"), of("checkAndSetLost"), of("invalid")]).toEqual([["again"], ["refresh"], []]);
  });

  test("of what is none of ours is not known", () => {
    expect(remediesOf(new Error("it failed"))).toBeUndefined();
  });
});
