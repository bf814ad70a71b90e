import {
  ActionableError,
  type Address,
  errorOfRead,
  get,
  type HttpResponse,
  isObject,
  isSuccess,
  type Link,
  manualCheck,
  type ObjectHookContext,
  type PlannedChange,
  post,
  rerunUp,
  send,
  sendWrite,
  stringIn,
} from "../../core";
import type { MountTable } from "./mountRows";
import { pauses } from "./pauses";
import { secrets } from "./service";

/** A changed path: the server moves the mount in the background, and the write ends once the move has ended. */
export function remount({ prefix, noun }: MountTable): Link {
  return {
    field: "path",
    isCreatedWith: true,
    async write(context, address, { from, to }) {
      const answer = await sendWrite(context, post("/sys/remount", { expects: ["migration_id"] }), address, {
        body: { from: prefix + stringIn(from), to: prefix + stringIn(to) },
      });
      await waitForMove(
        context,
        { ...address, id: stringIn(secrets.unwrap(answer.json ?? null).migration_id) },
        noun,
      );
    },
  };
}

const moveStatus = get("/sys/remount/status/{id}");

async function waitForMove(context: ObjectHookContext, address: Address, noun: string): Promise<void> {
  const { runtime } = context.connection;
  for (const pause of pauses()) {
    const answer = await send(context, moveStatus, address, { nature: "read" });
    const status = statusIn(answer);
    if (status === "success") return;
    if (status === undefined) throw errorOfRead(context, answer, moveStatus, address);
    const isFailed = status === "failure";
    if (isFailed || runtime.now() >= context.deadline)
      throw new ActionableError(
        `${context.name(address)}: the server ${isFailed ? "failed to move" : "is still moving"} the ${noun} (migration ${address.id}).`,
        [manualCheck("The server's log has the reason; search it for the migration ID."), rerunUp()],
        { outcome: isFailed ? "notApplied" : "unknown" },
      );
    await runtime.sleep(pause);
  }
}

function statusIn(answer: HttpResponse): string | undefined {
  const { migration_info: info } = secrets.unwrap(answer.json ?? null);
  return isSuccess(answer) && isObject(info) && typeof info.status === "string" ? info.status : undefined;
}

/** What a preview says about a moved mount. */
export function moveNotes({ step, inputs, outputs }: PlannedChange): string[] {
  const [from, to] = [outputs?.path, inputs.path];
  if (step !== "update" || typeof from !== "string" || typeof to !== "string" || from === to) return [];
  return [
    `the mount moves from ${from} to ${to}: its configuration and its static roles survive, and the server revokes every lease below ${from}`,
  ];
}
