// How long the time is, on our side, from the answer of the look before a delete to the delete itself, where the service
// checks no delete: what somebody writes meanwhile is lost. The service adds a round trip.
const { channel } = require("node:diagnostics_channel");
const { openResource, stateOf } = require("./resource.cjs");

/** What is deleted after a look, by the token of its resource; and what of a request's path tells which one it is. */
const LOOKED_AT = {
  "workspaces:Workspace": (n) => ({ name: `window-${n}`, organization: "acme" }),
  "scheduler:Job": (n) => ({
    json: { ID: `window-${n}`, TaskGroups: [{ Name: "main", Tasks: [{ Name: "main", Driver: "docker" }] }] },
    namespace: "default",
    purge: true,
  }),
  "secrets:QueueRole": (n) => ({ name: `window-${n}`, tags: "monitoring" }),
};

/** Of each resource, and of each number of deletes under way at once: milliseconds, in order. */
exports.measureWindows = async ({ count, atOnce, settings }) => {
  const measured = {};
  for (const [token, inputsOf] of Object.entries(LOOKED_AT)) {
    measured[token] = {};
    for (const many of atOnce)
      measured[token][many] = await windows(token, inputsOf, { count, many, settings });
  }
  return measured;
};

async function windows(token, inputsOf, { count, many, settings }) {
  const resource = openResource(token, settings);
  const made = await inTurns(count, many, async (n) => {
    const { id, outs } = await resource.create(inputsOf(n));
    return { id, olds: stateOf(outs) };
  });
  const watch = watchRequests();
  try {
    await inTurns(count, many, async (n) => {
      const { id, olds } = made[n];
      await resource.delete(id, olds);
    });
    return watch.windows(made.map(({ id, olds }) => olds.workspaceId ?? id.split("/").at(-1)));
  } finally {
    watch.stop();
  }
}

/** So many calls, some at once; what each gave. */
async function inTurns(count, many, call) {
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const n = next++;
      results[n] = await call(n);
    }
  };
  await Promise.all(Array.from({ length: many }, worker));
  return results;
}

/** When each request was written to its connection, and when its answer began. */
function watchRequests() {
  const sent = new Map();
  const exchanges = [];
  const onSent = ({ request }) => sent.set(request, performance.now());
  const onAnswer = ({ request }) => {
    const { method, path } = request;
    exchanges.push({ method, path, sentAt: sent.get(request), answeredAt: performance.now() });
  };
  channel("undici:client:sendHeaders").subscribe(onSent);
  channel("undici:request:headers").subscribe(onAnswer);
  return {
    windows: (names) =>
      names
        .map((name) => {
          const own = exchanges.filter(({ path }) => path.split(/[/?]/).includes(name));
          const [look] = own;
          const write = own.find(({ method }) => method !== "GET");
          if (look?.method !== "GET" || write === undefined)
            throw new Error(`${name} was not looked at and deleted`);
          return write.sentAt - look.answeredAt;
        })
        .sort((one, other) => one - other),
    stop() {
      channel("undici:client:sendHeaders").unsubscribe(onSent);
      channel("undici:request:headers").unsubscribe(onAnswer);
    },
  };
}
