import { z } from "zod";
import { field, isGiven, rule } from "../../core";
import { optionalDuration, secondsIn } from "./durations";

/**
 * The properties of a scheduled rotation of root credentials, and their rules (Vault's `automatedrotationutil`). Vault
 * rejects a window whose schedule is not in the same request.
 */
export function automatedRotation(credential: string) {
  return {
    fields: {
      rotationPeriod: optionalDuration({
        doc: `The time between automatic rotations of ${credential}. Vault Enterprise 1.19 or later; Vault Community Edition rejects it, and OpenBao ignores it.`,
        empty: 0,
      }),
      rotationSchedule: field(z.string().optional(), {
        doc: `The times of the automatic rotations of ${credential}, as a cron expression such as \`0 2 * * SAT\`. Vault Enterprise 1.19 or later; Vault Community Edition rejects it, and OpenBao ignores it.`,
        sentWith: ["rotationWindow"],
        empty: "",
      }),
      rotationWindow: optionalDuration({
        doc: "The time after each time of `rotationSchedule` in which the rotation may happen. If unset or removed, the window is not limited.",
        empty: 0,
      }),
      disableAutomatedRotation: field(z.boolean().optional(), {
        doc: `Stop the automatic rotations of ${credential}, without a change of their schedule. Vault only.`,
        // In early versions.
        resetsWhenOmitted: true,
        default: false,
      }),
    },
    rules: [
      rule(
        ["rotationSchedule", "rotationPeriod"],
        (schedule, period) => isGiven(schedule) && isGiven(period) && secondsIn(period) !== 0,
        "cannot be combined with rotationPeriod: Vault rotates at times or after periods",
      ),
      rule(
        ["rotationWindow", "rotationSchedule"],
        (window, schedule) => isGiven(window) && secondsIn(window) !== 0 && !isGiven(schedule),
        "requires rotationSchedule",
      ),
    ],
  } as const;
}
