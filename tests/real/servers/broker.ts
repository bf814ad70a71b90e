import { chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, isAnswering, start } from "./program";
import type { Teardown } from "./server";
import { userOf } from "./user";

/** Starts RabbitMQ on loopback. Returns the address of its management API. */
export async function startBroker(teardown: Teardown): Promise<string> {
  const [http, amqp, names, distribution] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const folder = join(teardown.folder, "broker");
  mkdirSync(folder);
  writeFileSync(join(folder, "enabled_plugins"), "[rabbitmq_management].\n");
  writeFileSync(
    join(folder, "rabbitmq.conf"),
    `listeners.tcp.1 = 127.0.0.1:${amqp}\nmanagement.tcp.ip = 127.0.0.1\nmanagement.tcp.port = ${http}\n`,
  );
  const user = userOf("rabbitmq");
  if (user) for (const path of [teardown.folder, folder]) chownSync(path, user.uid, user.gid);
  const env = {
    HOME: folder,
    // Without this, a script starts the broker as a child process, and a signal ends only the script.
    RUNNING_UNDER_SYSTEMD: "true",
    ERL_EPMD_ADDRESS: "127.0.0.1",
    ERL_EPMD_PORT: String(names),
    RABBITMQ_NODENAME: "quarterdeck@localhost",
    RABBITMQ_DIST_PORT: String(distribution),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: "-kernel inet_dist_use_interface {127,0,0,1}",
    RABBITMQ_CONFIG_FILE: join(folder, "rabbitmq.conf"),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, "enabled_plugins"),
    RABBITMQ_MNESIA_BASE: join(folder, "data"),
    RABBITMQ_LOG_BASE: join(folder, "log"),
    RABBITMQ_LOGS: "-",
  };
  // Otherwise the broker starts a port mapper that it does not stop.
  const registry = await start({
    program: "epmd",
    args: ["-address", "127.0.0.1", "-port", String(names)],
    env,
    folder,
    ...(user && { user }),
    isReady: async () => true,
  });
  teardown.add(() => registry.stop());
  const url = `http://127.0.0.1:${http}`;
  const broker = await start({
    program: "/usr/lib/rabbitmq/bin/rabbitmq-server",
    args: [],
    env,
    folder,
    ...(user && { user }),
    isReady: () => isAnswering(`${url}/api/overview`),
  });
  teardown.add(() => broker.stop());
  return url;
}
