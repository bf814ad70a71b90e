// The stub in a process of its own, so that what it costs is not counted as the engine's.
const { fork } = require("node:child_process");
const { StubControl, TEST_TOKENS } = require("pulumi-quarterdeck-testing");

if (process.send === undefined) {
  exports.startStubProcess = start;
} else {
  serve();
}

/** Runs in the child: serves until it is told to stop. */
async function serve() {
  const { startStub } = require("pulumi-quarterdeck-testing");
  const stub = await startStub();
  process.on("message", async () => {
    await stub.stop();
    process.disconnect();
  });
  process.send({ control: stub.control, addresses: stub.addresses });
}

/** Starts one, and says where it is, for our configuration and for a provider with bare undici. */
async function start() {
  const child = fork(__filename);
  const { control, addresses } = await new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("error", reject);
  });
  const controls = new StubControl(control);
  const headers = {
    workspaces: {
      authorization: `Bearer ${TEST_TOKENS.workspaces}`,
      "content-type": "application/vnd.api+json",
    },
    scheduler: { "x-nomad-token": TEST_TOKENS.scheduler },
    secrets: { "x-vault-token": TEST_TOKENS.secrets },
    mesh: { "x-consul-token": TEST_TOKENS.mesh },
  };
  return {
    /** The process that serves it. */
    process: child.pid,
    /** For bare requests: address and headers by service. */
    places: Object.fromEntries(
      Object.entries(addresses).map(([service, address]) => [
        service,
        { address, headers: headers[service] },
      ]),
    ),
    /** For our configuration. */
    settings: Object.fromEntries(
      Object.entries(addresses).map(([service, address]) => [
        service,
        { address, token: TEST_TOKENS[service], ...(service === "workspaces" && { organization: "acme" }) },
      ]),
    ),
    /** How many requests have come in since the last time this was asked. */
    async requests() {
      const count = (await controls.requests()).length;
      await controls.clearRequests();
      return count;
    },
    /** What each service holds. */
    async dumps() {
      const held = Object.keys(addresses).map(async (service) => [service, await controls.dump(service)]);
      return Object.fromEntries(await Promise.all(held));
    },
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.send("stop");
      await ended;
    },
  };
}
