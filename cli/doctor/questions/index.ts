import { mesh } from "./mesh";
import type { Questions } from "./question";
import { scheduler } from "./scheduler";
import { secrets } from "./secrets";
import { workspaces } from "./workspaces";

export type { Questions } from "./question";

/** The checks of each service, by its name. */
export const QUESTIONS: Readonly<Record<string, Questions>> = { workspaces, scheduler, secrets, mesh };
