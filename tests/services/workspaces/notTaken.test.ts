import type { HttpRequest } from "../../../provider/core/http/request";
import { formatJson, isObject, type Json } from "../../../provider/core/value/json";
import type { World } from "../../steps/world";
import { made, patched, scene } from "./workspace-scene";

type Attributes = { [name: string]: Json };

/** A service that makes something else of the attributes that it is sent. */
function takes(world: World, of: (sent: Attributes) => Attributes): void {
  world.fate = async (request: HttpRequest) => {
    const isWrite = request.method === "PATCH" || request.method === "POST";
    if (!isWrite || !isObject(request.body) || !isObject(request.body.data)) return "passes";
    const { data } = request.body;
    const attributes = of(isObject(data.attributes) ? data.attributes : {});
    const answer = await world.carryOut({ ...request, body: { data: { ...data, attributes } } });
    return { answer: { status: answer.status, text: formatJson(answer.json ?? null) }, isCarriedOut: false };
  };
}

function without(name: string) {
  return ({ [name]: _, ...others }: Attributes) => others;
}

describe("the answer to an update is the whole workspace", () => {
  const program = { name: "app", description: "one", queueAllRuns: false };

  test("a value that is still the old one was not taken: the update ends half made, with a table", async () => {
    const { world, resource } = await made(program);
    takes(world, without("queue-all-runs"));
    const wanted = { ...program, description: "two", queueAllRuns: true };
    await expect(resource.up(wanted)).rejects.toThrow(
      /left some of it as it was:\n {2}field +the program +the service\n {2}queueAllRuns +true +false/,
    );
    expect(resource.preview(wanted).changes).toMatchObject([{ path: ["queueAllRuns"] }]);
    world.fate = () => "passes";
    await resource.up(wanted);
    expect(patched(world)).toEqual({ "queue-all-runs": true });
    expect(resource.preview(wanted).changes).toEqual([]);
  });

  test("so does one that the program dropped, and that does not go back to its default", async () => {
    const { world, resource } = await made({ name: "app", description: "one", autoApply: true });
    takes(world, without("auto-apply"));
    const wanted = { name: "app", description: "two" };
    await expect(resource.up(wanted)).rejects.toThrow(/autoApply +false +true/);
    expect(resource.preview(wanted).changes).toMatchObject([{ path: ["autoApply"] }]);
    world.fate = () => "passes";
    await resource.up(wanted);
    expect(resource.preview(wanted).changes).toEqual([]);
  });

  test("taking the property's new value back out of the program is quiet", async () => {
    const { world, resource } = await made(program);
    takes(world, without("queue-all-runs"));
    await expect(resource.up({ ...program, queueAllRuns: true })).rejects.toThrow();
    expect(resource.preview(program).changes.map(({ path }) => path)).toEqual([]);
    await resource.up(program);
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("a third value was made by the service: told once, and settled", async () => {
    const { world, resource } = await made(program);
    takes(world, ({ description, ...others }) => ({ ...others, description: `${description}.` }));
    const wanted = { ...program, description: "two" };
    await resource.up(wanted);
    expect(world.logged.join("\n")).toMatch(
      /warning: .*made another value of what was written.*\n.*\n {2}description +"two" +"two\."/,
    );
    world.logged.length = 0;
    expect(resource.preview(wanted).changes).toEqual([]);
    expect(await resource.refresh()).toBe(true);
    expect(await resource.up(wanted)).toBe(false);
    expect(world.logged).toEqual([]);
  });

  test("so it is at a create", async () => {
    const { world, resource } = scene();
    takes(world, ({ description, ...others }) => ({ ...others, description: `${description}.` }));
    await resource.create(program);
    expect(world.logged.join("\n")).toMatch(/warning: (?:.|\n)*description +"one" +"one\."/);
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("what was not written and moved along is told once, and is nobody's conflict", async () => {
    const { world, resource } = await made(program);
    takes(world, (sent) => ({ ...sent, "file-triggers-enabled": false }));
    await resource.up({ ...program, description: "two" });
    expect(world.logged.join("\n")).toMatch(
      /moved with this write, by the service or by somebody in the same moment:\n.*\n {2}fileTriggersEnabled +true +false/,
    );
    world.logged.length = 0;
    expect(resource.preview({ ...program, description: "two" }).changes).toEqual([]);
    await resource.up({ ...program, description: "three" });
    expect(world.logged.join("\n")).not.toContain("others moved");
  });

  test("nothing is said of an update that came out as it was written", async () => {
    const { world, resource } = await made({ ...program, tagNames: ["a"] });
    await resource.up({
      ...program,
      tagNames: ["a", "b"],
      vcsRepo: { identifier: "a/b", oauthTokenId: "ot-code" },
    });
    expect(world.logged).toEqual([]);
  });
});
