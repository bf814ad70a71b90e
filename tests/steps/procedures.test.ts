import { PartialError } from "../../provider/core/state/errors";
import { endedInUps, procedures } from "./procedures";
import { Resource } from "./resource";
import type { Fate } from "./world";

describe.each(procedures)("the procedure %s", (_, { definition, scene }) => {
  async function staged() {
    const { world, program } = await scene();
    return { world, program, resource: new Resource(world, definition) };
  }

  test("shows no changes when it is complete: a preview and an up send nothing, and a refresh changes nothing", async () => {
    const { world, program, resource } = await staged();
    expect(resource.check(program)).toEqual([]);
    await resource.create(program);
    const { outputs } = resource;
    const sent = world.requests.length;
    expect(resource.preview(program)).toMatchObject({ changes: [], notes: [] });
    expect(await resource.up(program)).toBe(false);
    expect(world.requests.length).toBe(sent);
    expect(await resource.refresh()).toBe(true);
    expect(resource.outputs).toEqual(outputs);
    expect(resource.preview(program).changes).toEqual([]);
    expect(world.requests.slice(sent).every(({ nature }) => nature === "read")).toBe(true);
  });

  test("keeps its outputs in an update of timeouts", async () => {
    const { program, resource } = await staged();
    await resource.create(program);
    const { timeouts: __, ...before } = resource.outputs;
    expect(await resource.up({ ...program, timeouts: { read: 5 } })).toBe(true);
    for (const [name, value] of Object.entries(before)) {
      if (name !== "__quarterdeck") expect(resource.outputs[name]).toEqual(value);
    }
    expect(resource.record.procedure).toBeDefined();
  });

  test("reports the HTTP status and stores no ID if the service rejects the token", async () => {
    const { world, program } = await staged();
    const unauthorized = new Resource(world.with({ token: "nobody" }), definition);
    await expect(unauthorized.create(program)).rejects.toThrow(/returned 40[134]/);
    expect(unauthorized.id).toBe("");
  });

  test("rejects a read by its ID alone and gives the reason", async () => {
    const { resource } = await staged();
    await expect(resource.get("x")).rejects.toThrow(/cannot be read by its ID or imported: .+ Next: /);
  });

  test("can be deleted, and deleted again", async () => {
    const { program, resource } = await staged();
    await resource.create(program);
    await resource.delete();
    await resource.delete();
  });
});

const resumed = procedures.filter(([, { staysOpen }]) => !staysOpen);

describe.each(resumed)("the procedure %s", (_, { definition, scene }) => {
  test.each<Fate>(["request lost", "response lost"])(
    "is completed by ups after a fault at any request (%s)",
    async (fate) => {
      for (let at = 0; at < 10; at++) {
        const { world, program } = await scene();
        const resource = new Resource(world, definition);
        let sent = 0;
        world.fate = () => (sent++ === at ? fate : "passes");
        const failure = await resource.create(program).catch((error: unknown) => error);
        const ended = await endedInUps(resource, program);
        if (failure instanceof PartialError) expect(resource.id).not.toBe("");
        expect(resource.preview(ended).changes).toEqual([]);
        expect(resource.record.pending).toBeUndefined();
        if (sent <= at) break;
      }
    },
  );
});
