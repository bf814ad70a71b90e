import { RealService, runtime } from "../realService";
import { theServer } from "../servers/server";

const token = () => `Bearer ${theServer().token}`;

/** A real otfd server in place of the stub. */
export class WorkspacesService extends RealService {
  readonly name = "workspaces";
  readonly reached = { settings: { dialect: "real" }, runtime };
  protected override readonly translation = {
    tokens: { "Bearer token-owner": token(), "Bearer owner": token() },
  };
}
