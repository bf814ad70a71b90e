import type { Writer } from "../job-store";
import type { World } from "../world";
import { fail, finish, judge, start } from "./allocation";
import { checkDeadline } from "./deployment";
import type { Due } from "./due";
import { work } from "./evaluation";
import { makeReady } from "./volume";

/** Runs every scheduled step that is due, each at its own time and in that order. */
export function advance(writer: Writer): void {
  for (;;) {
    const next = earliest(writer.world);
    if (next === undefined || next.at > writer.now) return;
    writer.world.due.splice(writer.world.due.indexOf(next), 1);
    happen({ ...writer, now: next.at }, next);
  }
}

/** The time of the next scheduled step. */
export function nextTime(world: World): number {
  return earliest(world)?.at ?? Number.POSITIVE_INFINITY;
}

/** Of several steps at the same time, the one scheduled first. */
function earliest({ due }: World): Due | undefined {
  return due.reduce<Due | undefined>(
    (first, next) => (first === undefined || next.at < first.at ? next : first),
    undefined,
  );
}

function happen(writer: Writer, due: Due): void {
  switch (due.kind) {
    case "evaluate":
      work(writer, due.evaluation);
      break;
    case "start":
      start(writer, due.allocation);
      break;
    case "judge":
      judge(writer, due.allocation, due.healthy);
      break;
    case "fail":
      fail(writer, due.allocation);
      break;
    case "finish":
      finish(writer, due.allocation);
      break;
    case "deadline":
      checkDeadline(writer, due.deployment);
      break;
    case "volume":
      makeReady(writer, due.volume);
      break;
  }
}
