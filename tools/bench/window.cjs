// The time from the response to the read before a delete until the delete is sent, for services without check-and-set for
// deletes: a change by someone else in this time is lost. The server adds a round trip.
const { channel } = require("node:diagnostics_channel");
const { openResource, stateOf } = require("./resource.cjs");

/** The inputs of the objects that are deleted, by the token of their resource. */
const INPUTS = {
  "workspaces:Workspace": (n) => ({ name: `window-${n}`, organization: "acme" }),
  "scheduler:Job": (n) => ({
    json: { ID: `window-${n}`, TaskGroups: [{ Name: "main", Tasks: [{ Name: "main", Driver: "docker" }] }] },
    namespace: "default",
    purge: true,
  }),
  "secrets:QueueRole": (n) => ({ name: `window-${n}`, tags: "monitoring" }),
};

/** By resource, and by number of concurrent deletes: milliseconds, sorted. */
exports.measureWindows = async ({ count, atOnce, settings }) => {
  const measured = {};
  for (const [token, inputsOf] of Object.entries(INPUTS)) {
    measured[token] = {};
    for (const many of atOnce)
      measured[token][many] = await windows(token, inputsOf, { count, many, settings });
  }
  return measured;
};

async function windows(token, inputsOf, { count, many, settings }) {
  const creating = openResource(token, settings);
  const made = await inTurns(count, many, async (n) => {
    const { id, outs } = await creating.create(inputsOf(n));
    return { id, olds: stateOf(outs) };
  });
  const deleting = openResource(token, settings);
  const watch = watchRequests();
  try {
    await inTurns(count, many, async (n) => {
      const { id, olds } = made[n];
      await deleting.delete(id, olds);
    });
    return watch.windows(made.map(({ id, olds }) => olds.workspaceId ?? id.split("/").at(-1)));
  } finally {
    watch.stop();
  }
}

/** Runs so many calls, some of them concurrently, and returns their results. */
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

/** Records when each request was written to its connection, and when its response began. */
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
          const [read] = own;
          const write = own.find(({ method }) => method !== "GET");
          if (read?.method !== "GET" || write === undefined)
            throw new Error(`${name} was not read and deleted`);
          return write.sentAt - read.answeredAt;
        })
        .sort((one, other) => one - other),
    stop() {
      channel("undici:client:sendHeaders").unsubscribe(onSent);
      channel("undici:request:headers").unsubscribe(onAnswer);
    },
  };
}
