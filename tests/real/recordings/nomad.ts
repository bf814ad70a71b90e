import type { Exchange } from "../../recorded/exchange";

export const nomad: readonly Exchange[] = [];
