import { direct, integer, list, struct, text } from "./field";

export const constraint = struct({
  LTarget: direct(text()),
  RTarget: direct(text()),
  Operand: direct(text()),
});

export const affinity = struct({
  LTarget: direct(text()),
  RTarget: direct(text()),
  Operand: direct(text()),
  Weight: integer(50),
});

export const spread = struct({
  Attribute: direct(text()),
  Weight: integer(50),
  SpreadTarget: list(struct({ Value: direct(text()), Percent: direct(integer()) })),
});
