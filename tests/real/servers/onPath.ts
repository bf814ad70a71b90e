import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Whether a program is on the PATH, or is an executable at this absolute path. */
export function isOnPath(program: string): boolean {
  if (program.startsWith("/")) return isExecutable(program);
  return (process.env.PATH ?? "").split(delimiter).some((folder) => isExecutable(join(folder, program)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
