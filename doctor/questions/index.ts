import { mesh } from "./mesh";
import type { Questions } from "./question";
import { scheduler } from "./scheduler";
import { secrets } from "./secrets";
import { workspaces } from "./workspaces";

export type { Questions } from "./question";

/** What each service is asked, by its name. */
export const QUESTIONS: Readonly<Record<string, Questions>> = { workspaces, scheduler, secrets, mesh };
