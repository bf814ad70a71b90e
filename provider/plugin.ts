import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { catalog } from "./catalog";
import type { PluginPackage } from "./core/bridge/plugin/session";
import { ownMember } from "./core/value/json";
import { functionNamed } from "./functions";
import { userAgent, VERSION } from "./version";

/** This package as a Pulumi provider plugin. */
export const plugin: PluginPackage = {
  name: "quarterdeck",
  version: VERSION,
  userAgent,
  schema: () => {
    const packed = join(__dirname, "../schema.json.gz");
    // A checkout contains the schema uncompressed, as generated.
    if (!existsSync(packed)) return readFileSync(join(__dirname, "../schema.json"), "utf8");
    return gunzipSync(readFileSync(packed)).toString("utf8");
  },
  resource: (token) => ownMember(catalog, token)?.(),
  function: functionNamed,
  services: {
    workspaces: () => require("./services/workspaces/service").workspaces,
    scheduler: () => require("./services/scheduler/service").scheduler,
    secrets: () => require("./services/secrets/service").secrets,
    mesh: () => require("./services/mesh/service").mesh,
  },
};
