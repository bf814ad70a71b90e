// Loaded first into each Node process of a command: leaves its number, and crashes it from inside when it is told to, with
// the request in its hands that was sent last.
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
  // What a library's error is like that holds the request which failed.
  "an exception that holds a request": () => {
    throw Object.assign(new Error("it cannot be"), { request: last, body: secrets() });
  },
  "a rejection that holds a request": () => {
    Promise.reject(Object.assign(new Error("it cannot be"), { cause: { request: last, body: secrets() } }));
  },
  "an exception whose words are a secret": () => {
    const error = new TypeError(secrets(), { cause: new Error(secrets()) });
    throw Object.assign(error, { name: secrets(), code: secrets() });
  },
  "a rejection with what is no error": () => {
    Promise.reject({ ...last, text: secrets() });
  },
  "an exception that is a text": () => {
    throw secrets();
  },
  "JSON that cannot be read": () => JSON.parse(`${secrets()}`),
  "no memory": () => {
    const kept = [];
    for (;;) kept.push(secrets().repeat(100) + kept.length);
  },
};
process.on("SIGUSR2", () => {
  const crash = kinds[readFileSync(`${folder}/kind`, "utf8")];
  // Of its own, so that nothing here stands around it.
  setImmediate(() => crash());
});
