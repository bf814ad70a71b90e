import type { HttpRequest, HttpResponse } from "../../../../provider/core/http/request";
import { SERVER_WAIT_MS, waitForServer } from "../../../../provider/core/requests/middleware";
import { workspaces } from "../../../../provider/services/workspaces/service";
import { testRuntime } from "../../http/clients";

const label = { definition: "workspaces:RunTrigger", step: "create" };
const write: HttpRequest = { label, method: "POST", path: "/x", nature: "write" };
const locked = (status: number): HttpResponse => ({
  status,
  headers: {},
  text: "Run Trigger creation locked",
  json: undefined,
  attempts: 1,
});

test("a request is repeated for 30 seconds while its server is busy, and not after another rejection", async () => {
  const runtime = testRuntime();
  const start = runtime.now();
  let isRepeated = (_: HttpResponse): boolean => false;
  const send = waitForServer(
    workspaces,
    runtime,
  )(async (request) => {
    isRepeated = (answer) => request.repeatWhile?.(answer) === true;
    return locked(409);
  });
  await send(write);
  expect([isRepeated(locked(409)), isRepeated(locked(422))]).toEqual([true, false]);
  await runtime.sleep(start + SERVER_WAIT_MS - runtime.now());
  expect(isRepeated(locked(409))).toBe(false);
});
