import type { DynamicHandler } from "./core/bridge/dynamic/errors";
import { keepMemoryOutOfFiles } from "./crash";
import { tooOldNode } from "./node";

/**
 * What the text in a state calls: `require("pulumi-quarterdeck/host")("scheduler:Job")`. States hold that text
 * for ever, so this entry and its form stay as they are. On a Node that is too old nothing is loaded that would fail
 * with words of its own: it is the handler that fails, because that text would add to an error of this call how a
 * package is installed.
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
