import { RealService, runtime } from "../realService";
import { theServer } from "../servers/server";

/** A real Consul server in place of the stub. */
export class MeshService extends RealService {
  readonly name = "mesh";
  readonly reached = { settings: { dialect: "real" }, runtime };
  protected override readonly translation = {
    headers: { "x-mesh-token": "x-consul-token" },
    tokens: { manager: theServer().token },
  };
}
