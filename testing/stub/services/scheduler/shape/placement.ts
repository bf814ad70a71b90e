import { integer, list, struct, text } from "./field";

export const constraint = struct({ LTarget: text(), RTarget: text(), Operand: text() });

export const affinity = struct({ LTarget: text(), RTarget: text(), Operand: text(), Weight: integer(50) });

export const spread = struct({
  Attribute: text(),
  Weight: integer(50),
  SpreadTarget: list(struct({ Value: text(), Percent: integer() })),
});
