import { startBao } from "./bao";
import { startConsul } from "./consul";
import { startNomad } from "./nomad";
import { startOtfd } from "./otfd";
import type { Program, Running } from "./server";

/** How each program is started. */
export const starters: Readonly<Record<Program, () => Promise<Running>>> = {
  nomad: startNomad,
  bao: startBao,
  otfd: startOtfd,
  consul: startConsul,
};
