import { chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answers, freePort, start } from "./program";
import type { Begun } from "./server";
import { userOf } from "./user";

/** A RabbitMQ server on loopback, with its management API; that API's address. */
export async function startBroker(begun: Begun): Promise<string> {
  const [http, amqp, names, distribution] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const folder = join(begun.folder, "broker");
  mkdirSync(folder);
  writeFileSync(join(folder, "enabled_plugins"), "[rabbitmq_management].\n");
  writeFileSync(
    join(folder, "rabbitmq.conf"),
    `listeners.tcp.1 = 127.0.0.1:${amqp}\nmanagement.tcp.ip = 127.0.0.1\nmanagement.tcp.port = ${http}\n`,
  );
  const user = userOf("rabbitmq");
  if (user) for (const path of [begun.folder, folder]) chownSync(path, user.uid, user.gid);
  const env = {
    HOME: folder,
    // One process, which a signal ends; else a script stands between, and leaves the broker behind.
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
  // The broker would start one that outlives it.
  const registry = await start({
    program: "epmd",
    args: ["-address", "127.0.0.1", "-port", String(names)],
    env,
    folder,
    ...(user && { user }),
    isReady: async () => true,
  });
  begun.add(() => registry.stop());
  const url = `http://127.0.0.1:${http}`;
  const broker = await start({
    program: "/usr/lib/rabbitmq/bin/rabbitmq-server",
    args: [],
    env,
    folder,
    ...(user && { user }),
    isReady: () => answers(`${url}/api/overview`),
  });
  begun.add(() => broker.stop());
  return url;
}
