// What stands between a program and a service on a bad day, in a process of its own: a gateway that is slow, refuses some
// requests before anybody carries them out, loses some answers, and takes only so many requests a second.
const { fork } = require("node:child_process");
const http = require("node:http");

/** A bad day. Shares are of all requests; times are in milliseconds. */
const BAD = { perSecond: 30, lost: 0.05, unavailable: 0.05, shortest: 5, longest: 500 };

if (process.send === undefined) exports.startWeather = start;
else process.once("message", serve);

/** Starts one in front of each address; the addresses to ask instead, and what became of the requests so far. */
async function start(addresses, seed = 1, day = BAD) {
  const child = fork(__filename);
  const told = () => new Promise((resolve) => child.once("message", resolve));
  const begun = told();
  child.send({ addresses, seed, day });
  const reached = await begun;
  return {
    process: child.pid,
    addresses: reached,
    async counts() {
      const counted = told();
      child.send("counts");
      return counted;
    },
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.send("stop");
      await ended;
    },
  };
}

async function serve({ addresses, seed, day }) {
  const random = chance(seed);
  const counts = { passed: 0, lost: 0, unavailable: 0, limited: 0 };
  const servers = [];
  const reached = {};
  for (const [service, address] of Object.entries(addresses)) {
    const server = http.createServer(gateway(new URL(address), { random, counts, day, limit: limitOf(day) }));
    servers.push(server);
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    reached[service] = `http://127.0.0.1:${server.address().port}`;
  }
  process.on("message", (what) => {
    if (what === "counts") return process.send({ ...counts });
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
    process.disconnect();
  });
  process.send(reached);
}

/** How long until one more request is taken: 0 where it is now. As the hosted services limit, by whole seconds. */
function limitOf({ perSecond }) {
  let second = 0;
  let taken = 0;
  return () => {
    const now = Date.now();
    const current = Math.floor(now / 1000);
    if (current !== second) [second, taken] = [current, 0];
    if (taken >= perSecond) return (current + 1) * 1000 - now;
    taken += 1;
    return 0;
  };
}

function gateway(place, { random, counts, day, limit }) {
  return (request, response) => {
    const wait = limit();
    if (wait > 0) {
      counts.limited += 1;
      request.resume();
      response.writeHead(429, {
        "x-ratelimit-limit": String(day.perSecond),
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": (wait / 1000).toFixed(3),
      });
      return response.end();
    }
    const [fate, pause] = [random(), day.shortest + random() * (day.longest - day.shortest)];
    const isUnavailable = fate < day.unavailable;
    const isLost = !isUnavailable && fate < day.unavailable + day.lost;
    setTimeout(() => {
      if (isUnavailable) {
        counts.unavailable += 1;
        request.resume();
        response.writeHead(503, { "content-type": "text/html" });
        return response.end("<html><body>503 Service Unavailable</body></html>");
      }
      const { method, url: path, headers } = request;
      const onwards = http.request({ host: place.hostname, port: place.port, method, path, headers });
      onwards.once("response", (answer) => {
        if (isLost) {
          counts.lost += 1;
          answer.resume();
          return request.socket.resetAndDestroy();
        }
        counts.passed += 1;
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      });
      onwards.once("error", () => request.socket.destroy());
      request.pipe(onwards);
    }, pause);
  };
}

function chance(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
