import type { Job, TaskGroup, UpdateStrategy } from "../shape/job";
import { durationText, messagesOfBroken, nestErrors } from "./errors";

type Constraint = NonNullable<Job["Constraints"]>[number];
type Affinity = NonNullable<Job["Affinities"]>[number];
type Spread = NonNullable<Job["Spreads"]>[number];

export function updateErrors(update: UpdateStrategy): readonly string[] {
  const { HealthCheck, MaxParallel, Canary, AutoPromote, Stagger } = update;
  const { MinHealthyTime: healthy, HealthyDeadline: deadline, ProgressDeadline: progress } = update;
  return messagesOfBroken([
    [
      !["checks", "task_states", "manual"].includes(HealthCheck),
      `Invalid health check given: "${HealthCheck}"`,
    ],
    [MaxParallel < 0, `Max parallel can not be less than zero: ${MaxParallel} < 0`],
    [Canary < 0, `Canary count can not be less than zero: ${Canary} < 0`],
    [Canary === 0 && AutoPromote, "Auto Promote requires a Canary count greater than zero"],
    [healthy < 0, `Minimum healthy time may not be less than zero: ${durationText(healthy)}`],
    [deadline <= 0, `Healthy deadline must be greater than zero: ${durationText(deadline)}`],
    [progress < 0, `Progress deadline must be zero or greater: ${durationText(progress)}`],
    [
      healthy >= deadline,
      `Minimum healthy time must be less than healthy deadline: ${durationText(healthy)} > ${durationText(deadline)}`,
    ],
    [
      progress !== 0 && deadline >= progress,
      `Healthy deadline must be less than progress deadline: ${durationText(deadline)} > ${durationText(progress)}`,
    ],
    [Stagger <= 0, `Stagger must be greater than zero: ${durationText(Stagger)}`],
  ]);
}

export function restartErrors(restart: NonNullable<TaskGroup["RestartPolicy"]>): readonly string[] {
  const { Mode, Attempts, Interval, Delay } = restart;
  return messagesOfBroken([
    [Mode !== "delay" && Mode !== "fail", `Unsupported restart mode: "${Mode}"`],
    [Attempts === 0 && Mode !== "fail", `Restart policy "${Mode}" with ${Attempts} attempts is ambiguous`],
    [Interval < 5_000_000_000, `Interval can not be less than 5s (got ${durationText(Interval)})`],
    [
      Attempts * Delay > Interval,
      `Nomad can't restart the TaskGroup ${Attempts} times in an interval of ${durationText(Interval)} with a delay of ${durationText(Delay)}`,
    ],
  ]);
}

export function constraintErrors(constraints: readonly Constraint[] | null): readonly string[] {
  return (constraints ?? []).flatMap((constraint, index) =>
    nestErrors(`Constraint ${index + 1} validation failed`, constraintProblems(constraint)),
  );
}

const NEEDS_RIGHT = new Set(["=", "==", "is", "!=", "not", "<", "<=", ">", ">="]);
const SETS = new Set(["set_contains", "set_contains_all", "set_contains_any"]);
const PRESENCE = new Set(["is_set", "is_not_set"]);
const OTHERS = new Set(["distinct_hosts", "distinct_property", "regexp", "version", "semver"]);

function constraintProblems({ LTarget, RTarget, Operand }: Constraint): readonly string[] {
  const isKnown = [NEEDS_RIGHT, SETS, PRESENCE, OTHERS].some((operands) => operands.has(Operand));
  return messagesOfBroken([
    [Operand === "", "Missing constraint operand"],
    [SETS.has(Operand) && RTarget === "", "Set contains constraint requires an RTarget"],
    [NEEDS_RIGHT.has(Operand) && RTarget === "", `Operator "${Operand}" requires an RTarget`],
    [PRESENCE.has(Operand) && RTarget !== "", `Operator "${Operand}" does not support an RTarget`],
    [
      Operand === "distinct_property" && RTarget !== "" && !/^[1-9]\d*$/.test(RTarget),
      `Distinct Property must have an allowed count of 1 or greater: ${RTarget} < 1`,
    ],
    [!isKnown, `Unknown constraint type "${Operand}"`],
    [Operand !== "distinct_hosts" && LTarget === "", "no attribute provided but is required by operator"],
  ]);
}

export function affinityErrors(affinities: readonly Affinity[] | null): readonly string[] {
  return (affinities ?? []).flatMap(({ LTarget, RTarget, Operand, Weight }, index) =>
    nestErrors(
      `Affinity ${index + 1} validation failed`,
      messagesOfBroken([
        [Operand === "", "Missing affinity operand"],
        [NEEDS_RIGHT.has(Operand) && RTarget === "", `Operator "${Operand}" requires an RTarget`],
        [LTarget === "", "No LTarget provided but is required"],
        [Weight === 0, "Affinity weight cannot be zero"],
        [Weight > 100 || Weight < -100, "Affinity weight must be within the range [-100,100]"],
      ]),
    ),
  );
}

export function spreadErrors(spreads: readonly Spread[] | null): readonly string[] {
  return (spreads ?? []).flatMap(({ Attribute, Weight, SpreadTarget }, index) => {
    const percents = (SpreadTarget ?? []).map((target) => target.Percent);
    const sum = percents.reduce((total, percent) => total + percent, 0);
    return nestErrors(
      `Spread ${index + 1} validation failed`,
      messagesOfBroken([
        [Attribute === "", "Missing spread attribute"],
        [Weight <= 0 || Weight > 100, "Spread block must have a positive weight from 0 to 100"],
        [sum > 100, `Sum of spread target percentages must not be greater than 100%; got ${sum}%`],
      ]),
    );
  });
}
