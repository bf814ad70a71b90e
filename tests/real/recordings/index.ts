import type { Exchange } from "../../recorded/exchange";
import type { Program } from "../servers/server";
import { bao } from "./bao";
import { consul } from "./consul";
import { nomad } from "./nomad";
import { otfd } from "./otfd";

/** What is asked of each server, so that its answers are on record. */
export const recordings: Readonly<Record<Program, readonly Exchange[]>> = { nomad, bao, otfd, consul };
