import { RealService, runtime } from "../realService";
import { theServer } from "../servers/server";

/** A real Nomad server in place of the stub. */
export class SchedulerService extends RealService {
  readonly name = "scheduler";
  readonly reached = { settings: { dialect: "real" }, runtime };
  protected override readonly translation = {
    headers: { "x-sched-token": "x-nomad-token" },
    tokens: { manager: theServer().token },
  };
}
