import { startBao } from "./bao";
import { startConsul } from "./consul";
import { startNomad } from "./nomad";
import { startOtfd } from "./otfd";
import type { Program, Running } from "./server";

/** The function that starts each server. */
export const starters: Readonly<Record<Program, () => Promise<Running>>> = {
  nomad: startNomad,
  bao: startBao,
  otfd: startOtfd,
  consul: startConsul,
};
