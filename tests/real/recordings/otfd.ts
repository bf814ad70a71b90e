import type { Exchange } from "../../recorded/exchange";

export const otfd: readonly Exchange[] = [];
