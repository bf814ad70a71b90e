import { firstRemedyIn } from "./firstRemedy";

test("firstWayIn ignores refresh --preview-only, and returns the first remedy that changes something", () => {
  const text = "To see it, pulumi refresh --preview-only. To insist, pulumi refresh, then pulumi up again.";
  expect(firstRemedyIn(text)).toEqual({ way: "pulumi refresh" });
  expect(firstRemedyIn("To see it, pulumi refresh\n  --preview-only. Or the same command\n again.")).toEqual({
    way: "the same command again",
  });
  expect(firstRemedyIn("To see it, pulumi refresh --preview-only.")).toEqual({ way: "none" });
});

test("firstWayIn returns a program setting with its value", () => {
  expect(firstRemedyIn("To adopt it, set adopt: true on it")).toMatchObject({ setting: { adopt: true } });
  expect(firstRemedyIn('set existing: "taken" on it')).toMatchObject({ setting: { existing: "taken" } });
});
