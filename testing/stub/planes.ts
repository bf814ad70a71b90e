import type { ServiceName, StubService } from "./service";
import { MeshService } from "./services/mesh/service";
import { SchedulerService } from "./services/scheduler/service";
import { SecretsService } from "./services/secrets/service";
import { WorkspacesService } from "./services/workspaces/service";

/** The four mock servers of the specification, by name. */
export const SERVICES = {
  workspaces: WorkspacesService,
  scheduler: SchedulerService,
  secrets: SecretsService,
  mesh: MeshService,
} as const satisfies Record<ServiceName, new (options: never) => StubService>;
