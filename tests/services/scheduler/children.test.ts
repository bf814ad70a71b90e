import type { Json } from "../../../provider/core/value/json";
import { JobScene } from "./job-scene";

const groups = [{ name: "front", tasks: [{ name: "server", driver: "docker" }] }];
const kinds = {
  periodic: { periodic: { spec: "0 0 1 1 *", specType: "cron" } },
  parameterized: { parameterizedJob: {} },
} as const;

const cases = (["neutral", "real"] as const).flatMap((dialect) =>
  (["periodic", "parameterized"] as const).map((kind) => [kind, dialect] as const),
);

describe.each(cases)("a %s job with child jobs, in the dialect %s", (kind, dialect) => {
  const spec = { id: "nightly", type: "batch", taskGroups: groups, ...kinds[kind] };

  const scene = async (program: { [property: string]: Json } = {}) => {
    const made = new JobScene({ dialect }, { switches: { dialect } });
    const header = dialect === "real" ? "x-nomad-token" : "x-sched-token";
    const ask = async (method: string, path: string, body?: Json) => {
      const answer = await made.world.send(method, path, body, {
        [header]: "manager",
        "content-type": "application/json",
      });
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
      return answer.json;
    };
    await made.resource.create({ spec, ...program });
    const launch = async () =>
      kind === "periodic"
        ? await ask("POST", "/v1/job/nightly/periodic/force")
        : await ask("POST", "/v1/job/nightly/dispatch", {});
    const children = async () =>
      (
        (await ask("GET", "/v1/jobs?prefix=nightly%2F")) as { ID: string; Status: string; Stop: boolean }[]
      ).map(({ ID, Status, Stop }) => ({ ID, isOver: Status === "dead" || Stop }));
    made.world.logged.length = 0;
    return { made, launch, children };
  };

  test("is deleted with a warning that names those that still run", async () => {
    const { made, launch, children } = await scene();
    await launch();
    const [child] = await children();
    await made.resource.delete();
    expect(await children()).toEqual([{ ID: child?.ID, isOver: false }]);
    expect(made.world.logged).toHaveLength(1);
    expect(made.world.logged[0]).toContain(`1 child job still runs: "${child?.ID}"`);
  });

  test.each([false, true])("is deleted with them if the program asks for it; purge: %s", async (purge) => {
    const { made, launch, children } = await scene({ stopChildren: true, purge });
    await launch();
    await made.resource.delete();
    const left = await children();
    expect(left.filter(({ isOver }) => !isOver)).toEqual([]);
    expect(left.length).toBe(purge ? 0 : 1);
    expect(made.world.logged).toEqual([]);
  });

  test("whose children could not be stopped keeps its place in the state, and a repeated delete stops them", async () => {
    const { made, launch, children } = await scene({ stopChildren: true });
    await launch();
    made.world.fate = ({ method, path }) =>
      method === "DELETE" && path.includes("%2F")
        ? { answer: { status: 403, text: "Permission denied" }, isCarriedOut: false }
        : "passes";
    await expect(made.resource.delete()).rejects.toThrow();
    made.world.fate = () => "passes";
    await made.resource.delete();
    expect((await children()).filter(({ isOver }) => !isOver)).toEqual([]);
  });

  test("is deleted although the list of them is refused, with a warning", async () => {
    const { made } = await scene();
    made.world.fate = ({ method, path }) =>
      method === "GET" && path === "/v1/jobs"
        ? { answer: { status: 403, text: "Permission denied" }, isCarriedOut: false }
        : "passes";
    await made.resource.delete();
    expect(made.world.logged.join("\n")).toContain("could not be listed");
  });

  test("without child jobs is deleted without a warning", async () => {
    const { made } = await scene();
    await made.resource.delete();
    expect(made.world.logged).toEqual([]);
  });
});

test.each([true, false, undefined])(
  "a delete asks for all regions only if the program does: %s",
  async (global) => {
    const made = new JobScene({ dialect: "neutral" }, { switches: { dialect: "neutral" } });
    await made.resource.create({
      spec: { id: "web", taskGroups: groups },
      ...(global !== undefined && { global }),
    });
    await made.resource.delete();
    const queries = made.world.requests.flatMap(({ method, query }) =>
      method === "DELETE" ? [query?.global] : [],
    );
    expect(queries).toEqual([global === true ? "true" : undefined]);
  },
);
