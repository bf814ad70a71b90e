import { DiffResponse } from "@pulumi/pulumi/proto/provider_pb";
import fc from "fast-check";
import { dynamicHandler } from "../../../../provider/core/bridge/dynamic/dynamicHandler";
import { parsePath, valueAt } from "../../../../provider/core/value/path";
import { runs } from "../../../steps/numRuns";
import type { Subject } from "../../../steps/subject";
import { subjects } from "../../../steps/subjects";
import { plain } from "../engines";
import { hostOf } from "../host";
import type { State } from "./calls";
import { callsIn } from "./inProcess";

const { DIFF_NONE } = DiffResponse.DiffChanges;
const URN = "urn:pulumi:dev::platform::quarterdeck:x:Y::it";

/** Both bridges of one definition on one server. */
async function bridgesOf({ definition, world: worldOf }: Subject) {
  const world = await worldOf();
  const host = hostOf(() => world.connection, world.logged);
  const calls = callsIn(definition, { host, signal: new AbortController().signal });
  return { world, calls, dynamic: dynamicHandler(definition, () => host) };
}

/** Definitions with required values that are secret, so that an import does not print them. */
const WHOLLY_SECRET =
  /Certificate$|^secrets:KvSecret$|^scheduler:Variable$|^workspaces:NotificationConfiguration$/;

describe.each(subjects)("%s behind the plugin", (token, subject) => {
  test("finds the same changes as the dynamic bridge, and each bridge accepts the other's state", async () => {
    await fc.assert(
      fc.asyncProperty(subject.programs, subject.programs, async (first, second) => {
        const { calls, dynamic, world } = await bridgesOf(subject);
        const checked = await calls.check(URN, {}, first);
        expect(checked.failures).toEqual([]);
        const planned = await calls.create(URN, checked.inputs, { preview: true });
        expect(planned.id).toBe("");
        const { id, outputs } = await calls.create(URN, checked.inputs);
        const state: State = { inputs: checked.inputs, outputs };
        // Shows no changes: on the plugin, on the dynamic bridge, and after a refresh.
        const sent = world.requests.length;
        const again = await calls.check(URN, state.inputs, first);
        expect(again).toEqual({ inputs: checked.inputs, failures: [] });
        expect((await calls.diff(URN, id, state, again.inputs)).changes).toBe(DIFF_NONE);
        const olds = { ...plain(outputs), __provider: "text" };
        const news = { ...plain(again.inputs), __provider: "text" };
        expect((await dynamic.diff(id, olds, news)).changes).toBe(false);
        expect(world.requests.length).toBe(sent);
        const read = await calls.read(URN, id, state);
        expect({ id: read.id, outputs: read.outputs, inputs: read.inputs }).toEqual({ id, ...state });
        // __provider stays in the state, and the dynamic bridge adds it if the plugin created the object.
        const ofHost = await calls.read(URN, id, { ...state, outputs: { ...outputs, __provider: "text" } });
        expect(ofHost.outputs).toEqual({ ...outputs, __provider: "text" });
        expect((await dynamic.diff(id, plain(outputs), news)).changes).toBe(true);
        const sentByNow = world.requests.length;
        expect((await dynamic.update(id, plain(outputs), news)).outs).toEqual(outputs);
        expect(world.requests.slice(sentByNow).filter(({ method }) => !/GET|LIST/.test(method))).toEqual([]);
        // Both bridges agree on a change.
        const wanted = await calls.check(URN, state.inputs, second);
        const found = await calls.diff(URN, id, state, wanted.inputs);
        const other = await dynamic.diff(id, olds, { ...plain(wanted.inputs), __provider: "text" });
        expect(found.changes !== DIFF_NONE).toBe(other.changes);
        expect(found.replaces.length > 0).toBe(other.replaces.length > 0);
        expect(found.deleteBeforeReplace).toBe(other.deleteBeforeReplace);
        for (const path of Object.keys(found.details)) expect(path).not.toBe("");
        if (found.changes === DIFF_NONE || found.replaces.length > 0) {
          await calls.delete(URN, id, state);
          return;
        }
        await calls.update(URN, id, state, wanted.inputs, { preview: true });
        const updated = await calls.update(URN, id, state, wanted.inputs);
        const now: State = { inputs: wanted.inputs, outputs: updated.outputs };
        const { outputs: previewed } = await calls.update(URN, id, { ...now, outputs: olds }, wanted.inputs, {
          preview: true,
        });
        expect(previewed.__provider).toBe("text");
        expect((await calls.diff(URN, id, now, wanted.inputs)).changes).toBe(DIFF_NONE);
        await calls.delete(URN, id, now);
      }),
      { numRuns: runs(subject, 12) },
    );
  });

  test("shows no changes after an import by ID, except in fields that the server does not return", async () => {
    await fc.assert(
      fc.asyncProperty(subject.programs, async (program) => {
        const { calls } = await bridgesOf(subject);
        const checked = await calls.check(URN, {}, program);
        const { id, outputs } = await calls.create(URN, checked.inputs);
        const read = await calls.read(URN, id);
        expect(read.id).toBe(id);
        expect(plain(read.inputs)).toEqual(read.inputs);
        const imported = await calls.check(URN, read.inputs, read.inputs);
        expect(imported.failures).toEqual([]);
        const state: State = { inputs: imported.inputs, outputs: read.outputs };
        // Only fields that the import did not print, which the program lacks, may be a change.
        const { details } = await calls.diff(URN, id, state, imported.inputs);
        for (const path of Object.keys(details))
          expect(valueAt(read.inputs, parsePath(path))).toBeUndefined();
        if (!WHOLLY_SECRET.test(token)) expect(details).toEqual({});
        await calls.delete(URN, id, { inputs: checked.inputs, outputs });
      }),
      { numRuns: runs(subject, 6) },
    );
  });
});
