import { handler } from "./index";

/**
 * What the text in a state calls: `require("pulumi-quarterdeck/host")("scheduler:Job")`. States hold that text
 * for ever, so this entry and its form stay as they are.
 */
export = (token: string) => {
  const own = handler(token);
  return () => own;
};
