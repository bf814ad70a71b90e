import fc from "fast-check";
import { catalog } from "../../../../provider/catalog";
import { questionOf } from "../../../../provider/core/functions/objects";
import { subjects } from "../../../steps/subjects";
import { hostOf } from "../host";
import { callsIn } from "./inProcess";

const URN = "urn:pulumi:dev::platform::quarterdeck:x:Y::it";
const listable = subjects.filter(([, { definition }]) => questionOf(definition));

const isListable = (token: string) => {
  const definition = catalog[token]?.();
  return definition !== undefined && questionOf(definition) !== undefined;
};

test("exactly the expected resource types can be listed", () => {
  const tokens = Object.keys(catalog).filter(isListable);
  expect(listable.map(([token]) => token).sort()).toEqual(tokens.sort());
  const without = Object.keys(catalog).filter((token) => !tokens.includes(token));
  expect(without.filter((token) => /^(mesh|scheduler):/.test(token))).toEqual([]);
  expect(without).toEqual(
    expect.arrayContaining(["secrets:CloudRoot", "secrets:QueueConnection", "workspaces:WorkspaceLock"]),
  );
});

/** Resource types whose objects no program can import, because the server never returns their values. */
const NEVER_IMPORTABLE: readonly string[] = ["workspaces:SshKey"];

describe.each(listable)("%s", (token, subject) => {
  test("is listed with an ID that can be imported, in one GET request", async () => {
    const [program = {}] = fc.sample(subject.programs, { numRuns: 1, seed: 1 });
    const world = await subject.world();
    const calls = callsIn(subject.definition, {
      host: hostOf(() => world.connection, world.logged),
      signal: new AbortController().signal,
    });
    const { inputs } = await calls.check(URN, {}, program);
    const { id } = await calls.create(URN, inputs);
    const question = questionOf(subject.definition);
    // The parts of the address that the list's request accepts, such as a mount.
    const needed = Object.entries(program).filter(([name]) => question?.fields[name] !== undefined);
    const sent = world.requests.length;
    const { ids, next } = await calls.list(subject.definition.token, Object.fromEntries(needed));
    expect(world.requests.slice(sent).map(({ method }) => method)).toEqual(["GET"]);
    if (NEVER_IMPORTABLE.includes(token)) expect(ids).toEqual([]);
    else expect(ids).toContain(id);
    expect(next).toBe("");
    for (const one of ids) {
      const read = await calls.read(URN, one);
      expect(read.id).toBe(one);
      expect(read.inputs).not.toEqual({});
    }
  });
});
