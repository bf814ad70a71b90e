// Loaded first into each Node process of a command: records the process ID, and on a signal crashes the process with the
// last request.
const { subscribe } = require("node:diagnostics_channel");
const { appendFileSync, readFileSync } = require("node:fs");

const { QUARTERDECK_CRASH: folder } = process.env;
appendFileSync(`${folder}/numbers`, `${process.pid} ${process.argv[1]}\n`);

let last;
subscribe("undici:request:create", ({ request }) => {
  last = request;
});

const secrets = () => `${JSON.stringify(last.headers)} ${last.body}`;
const kinds = {
  // Like a library's error that contains the failed request.
  "an exception that contains a request": () => {
    throw Object.assign(new Error("it cannot be"), { request: last, body: secrets() });
  },
  "a rejection that contains a request": () => {
    Promise.reject(Object.assign(new Error("it cannot be"), { cause: { request: last, body: secrets() } }));
  },
  "an exception whose message is a secret": () => {
    const error = new TypeError(secrets(), { cause: new Error(secrets()) });
    throw Object.assign(error, { name: secrets(), code: secrets() });
  },
  "a rejection with a value that is not an error": () => {
    Promise.reject({ ...last, text: secrets() });
  },
  "an exception that is a string": () => {
    throw secrets();
  },
  "invalid JSON": () => JSON.parse(`${secrets()}`),
  "out of memory": () => {
    const kept = [];
    for (;;) kept.push(secrets().repeat(100) + kept.length);
  },
};
process.on("SIGUSR2", () => {
  const crash = kinds[readFileSync(`${folder}/kind`, "utf8")];
  // In its own task, so that no frame of this file surrounds it.
  setImmediate(() => crash());
});
