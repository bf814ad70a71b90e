import { Session } from "node:inspector/promises";
import { join } from "node:path";
import type { Values } from "../../provider/core/language/object";
import { Resource } from "./resource";
import { subjects } from "./subjects";

const CORE = join(__dirname, "../../provider/core/");

/** How many files and functions of the core an update of one field runs, without a bridge and the HTTP client. */
interface Entered {
  readonly files: number;
  readonly functions: number;
}

async function enteredBy(act: () => Promise<unknown>): Promise<Entered> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await act();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  session.disconnect();
  const scripts = result.filter(({ url }) => url.includes(CORE) && !url.includes(`${CORE}http/`));
  // The module itself and the getters of its exports do not count.
  const called = scripts.map(({ functions }) =>
    functions.filter(
      ({ functionName, ranges: [range] }) =>
        functionName !== "" && !/^(get|_export|_interop)/.test(functionName) && (range?.count ?? 0) > 0,
    ),
  );
  return {
    files: called.filter(({ length }) => length > 0).length,
    functions: called.reduce((sum, { length }) => sum + length, 0),
  };
}

/** Updates of one field, and the most files that each may run in either dialect. Lower a figure when it can be lowered. */
const CHANGES: readonly [token: string, before: Values, after: Values, most: number][] = [
  [
    "mesh:ConfigEntry",
    { kind: "service-defaults", name: "web", spec: { Protocol: "http" } },
    { kind: "service-defaults", name: "web", spec: { Protocol: "grpc" } },
    46,
  ],
  ["secrets:QueueRole", { name: "app", tags: ["monitoring"] }, { name: "app", tags: ["management"] }, 46],
  [
    "workspaces:Workspace",
    { name: "app", organization: "acme", description: "a", tagBindings: { team: "a" } },
    { name: "app", organization: "acme", description: "b", tagBindings: { team: "a" } },
    50,
  ],
  [
    "scheduler:Job",
    { spec: { id: "web", taskGroups: [{ name: "g", count: 1, tasks: [{ name: "t", driver: "docker" }] }] } },
    { spec: { id: "web", taskGroups: [{ name: "g", count: 2, tasks: [{ name: "t", driver: "docker" }] }] } },
    50,
  ],
];

test.each(CHANGES)(
  "an update of one field of a %s does not run more files of the core than its limit",
  async (token, before, after, most) => {
    const subject = subjects.find(([name]) => name === token)?.[1];
    if (subject === undefined) throw new Error(`there is no ${token}`);
    const resource = new Resource(await subject.world(), subject.definition);
    await resource.create(before);
    const entered = await enteredBy(() => resource.update(after));
    if (process.env.QUARTERDECK_ENTERED === "1") console.log(token, JSON.stringify(entered));
    expect(entered.files).toBeLessThanOrEqual(most);
  },
);
