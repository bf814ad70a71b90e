import type { Exchange } from "../../recorded/exchange";

export const consul: readonly Exchange[] = [];
