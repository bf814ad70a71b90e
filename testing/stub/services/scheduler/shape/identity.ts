import { direct, flag, integer, list, struct, text } from "./field";

/** A workload identity. */
export const identity = struct({
  Name: direct(text()),
  Audience: list(text()),
  ChangeMode: direct(text()),
  ChangeSignal: direct(text()),
  Env: direct(flag()),
  File: direct(flag()),
  Filepath: direct(text()),
  ServiceName: direct(text()),
  TTL: direct(integer()),
  ExtraClaims: list(text()),
});
