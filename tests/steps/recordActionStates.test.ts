import { readFileSync, writeFileSync } from "node:fs";
import { oneTimeActions } from "./oneTimeActions";
import { procedures } from "./procedures";
import { RECORDED, type Replayed, type State } from "./recordings";
import { Resource } from "./resource";
import { World } from "./world";

// With QUARTERDECK_RECORD_DEEDS=1, records the states of actions, write-only resources and procedures that have no recorded state.

const recording = process.env.QUARTERDECK_RECORD_DEEDS === undefined ? test.skip : test;

type Program = Replayed["program"];
type Staged = () => Promise<{ readonly world: World; readonly program: Program }>;

/** The ends of a create: complete, with one share of several, and with a lost response to its first write. */
const ENDS: Readonly<Record<string, (world: World, program: Program) => Program>> = {
  whole: (_, program) => program,
  "under way": (_, program) =>
    Array.isArray(program.shares) ? { ...program, shares: program.shares.slice(0, 1) } : program,
  "with its answer lost": (world, program) => {
    world.fate = ({ nature }) => {
      if (nature === "read") return "passes";
      world.fate = () => "passes";
      return "response lost";
    };
    return program;
  },
};

async function stateAfter(token: string, end: string, scene: Staged): Promise<State | undefined> {
  const requests: State["requests"][number][] = [];
  const { deliver } = World.prototype;
  World.prototype.deliver = function (method, path, body, headers, more) {
    requests.push({ method, path, headers, at: this.now, ...(body !== undefined && { body }) });
    return deliver.call(this, method, path, body, headers, more);
  };
  try {
    const { world, program } = await scene();
    const written = ENDS[end]?.(world, program) ?? program;
    const definition = [...oneTimeActions, ...procedures].find(([name]) => name === token)?.[1].definition;
    if (definition === undefined || (end === "under way" && written === program)) return undefined;
    const resource = new Resource(world, definition);
    await resource.create(written).catch(() => undefined);
    if (resource.id === "") return undefined;
    const { id, outputs } = resource;
    const preview = resource.preview(written).changes.map(({ path }) => path.join("."));
    // A state is JSON.
    return JSON.parse(
      JSON.stringify({ token, end, program, written, id, outputs, preview, requests }),
    ) as State;
  } finally {
    World.prototype.deliver = deliver;
  }
}

recording("records the states of actions, write-only resources and procedures that have none", async () => {
  const recorded: readonly State[] = JSON.parse(readFileSync(RECORDED, "utf8"));
  const states: State[] = [...recorded];
  for (const [token, { scene }] of [...oneTimeActions, ...procedures]) {
    if (recorded.some((state) => state.token === token)) continue;
    for (const end of Object.keys(ENDS)) {
      const state = await stateAfter(token, end, scene);
      if (state !== undefined) states.push(state);
    }
  }
  expect(states.length).toBeGreaterThanOrEqual(oneTimeActions.length + procedures.length);
  writeFileSync(RECORDED, `[\n${states.map((state) => JSON.stringify(state)).join(",\n")}\n]\n`);
});
