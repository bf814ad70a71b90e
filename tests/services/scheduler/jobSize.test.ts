import { dynamicHandler } from "../../../provider/core/bridge/dynamic/dynamicHandler";
import { withRecordsRead } from "../../../provider/core/bridge/records";
import job from "../../../provider/services/scheduler/job";
import { hostOf } from "../../core/bridge/host";
import { JobScene, web } from "./job-scene";

const provider = { __provider: "text" };

/** How often each of these texts is parsed while something is done. */
async function parses(run: () => Promise<unknown>): Promise<(text: string) => number> {
  const parse = jest.spyOn(JSON, "parse");
  try {
    await run();
    const texts = parse.mock.calls.map(([text]) => text);
    return (text) => texts.filter((each) => each === text).length;
  } finally {
    parse.mockRestore();
  }
}

test("a job's text is parsed once, and its records once a step, however often they are asked what they say", async () => {
  const scene = new JobScene();
  const host = hostOf(() => scene.world.connection);
  const handler = dynamicHandler(job, () => host);
  const json = JSON.stringify({ ...web, Meta: { size: "large" } });
  const news = { json, namespace: "default", ...provider };
  const made: { id: string; outs: Readonly<Record<string, unknown>> }[] = [];
  const first = await parses(async () => {
    await handler.check({}, news);
    made.push(await handler.create(news));
  });
  expect(first(json)).toBe(1);
  const [{ id, outs } = { id: "", outs: {} }] = made;
  const { value } = Object(outs.__quarterdeck) as { value?: string };
  const olds = { ...outs, __quarterdeck: value ?? outs.__quarterdeck, ...provider };
  const record = withRecordsRead(job, olds).__quarterdeck;
  if (typeof record !== "string") throw new Error("it has no records");
  const other = JSON.stringify({ ...web, Meta: { size: "larger" } });
  const second = await parses(async () => {
    await handler.check(news, { ...news, json: other });
    await handler.diff(id, olds, { ...news, json: other });
    await handler.update(id, olds, { ...news, json: other });
  });
  expect([second(json), second(other), first(record) + second(record)]).toEqual([0, 1, 1]);
});
