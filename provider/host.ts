import type { DynamicHandler } from "./core/bridge/dynamic/handler";
import { keepMemoryOutOfFiles } from "./crash";
import { tooOldNode } from "./node";

/**
 * The entry for the code in a state: `require("pulumi-quarterdeck/host")("scheduler:Job")`. States contain that code
 * permanently, so this entry and its form never change. If Node is too old, it loads nothing that would fail with its own
 * message. The handler throws instead, because the code in the state would add installation hints to an error of this call.
 */
export = (token: string): (() => DynamicHandler) => {
  const refusal = tooOldNode();
  if (refusal !== undefined)
    return () => {
      throw refusal;
    };
  keepMemoryOutOfFiles();
  const { handler } = require("./index") as typeof import("./index");
  const own = handler(token);
  return () => own;
};
