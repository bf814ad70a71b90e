import { text } from "../../../core";

export {
  block,
  blocks,
  choice,
  flag,
  freeMap,
  integer,
  integers,
  requiredBlocks,
  requiredText,
  text,
  textMap,
  texts,
} from "../../../core";

/** A duration with a unit, in Consul's format. */
export const duration = (doc: string, wire?: string) =>
  text(`${doc} A duration with a unit, such as \`15s\`.`, wire);
