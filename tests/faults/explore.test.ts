import fc from "fast-check";
import { subjects } from "../steps/subjects";
import { courseOf } from "./cell";
import { faults, none } from "./faults";
import { livesOf } from "./lives";

const wanted = ["workspaces:Workspace", "scheduler:Job", "secrets:QueueRole", "mesh:ConfigEntry"];
test.each(subjects.filter(([t]) => wanted.includes(t)))(
  "%s",
  async (token, subject) => {
    const [a = {}] = fc.sample(subject.programs, { numRuns: 1, seed: 7 });
    const [b = {}] = fc.sample(subject.programs, { numRuns: 1, seed: 11 });
    const out: string[] = [];
    let n = 0;
    const began = Date.now();
    for (const life of livesOf(a, b)) {
      const free = await courseOf(subject, life, none, 0);
      out.push(
        `## ${life.name}: ${free.requests.length} requests ${free.requests.map((r) => r.method).join(" ")} ${free.told} ${JSON.stringify({ ...free.end, dump: 0 })}`,
      );
      for (let i = 0; i < free.requests.length; i++)
        for (const fault of faults) {
          if (fault.to === "reads" && !free.requests[i]?.isRead) continue;
          if (fault.to === "writes" && free.requests[i]?.isRead) continue;
          n++;
          try {
            const c = await courseOf(subject, life, fault, i);
            out.push(
              `${life.name} ${i} ${free.requests[i]?.method} ${fault.name}: ${c.told === undefined ? "ok" : c.told === "killed" ? "killed" : c.told.name} ${c.ways.join(",")} ${c.end.isThere} ${c.end.isQuiet ? "quiet" : "NOISY"}${c.end.dump === free.end.dump ? "" : " differs"}`,
            );
          } catch (e) {
            out.push(`${life.name} ${i} ${fault.name}: THROWN ${e}`.slice(0, 400));
          }
        }
    }
    require("node:fs").writeFileSync(`/tmp/faults-${token.replace(":", "-")}.txt`, out.join("\n"));
    console.log(token, n, Date.now() - began);
  },
  600000,
);
