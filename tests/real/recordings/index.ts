import type { Exchange } from "../../recorded/exchange";
import type { Program } from "../servers/server";
import { bao } from "./bao";
import { consul } from "./consul";
import { nomad } from "./nomad";
import { otfd } from "./otfd";
import { runs } from "./runs";
import { setVariables } from "./setVariables";
import { workspaceParts } from "./workspaceParts";

/** The requests whose responses are recorded, by server. */
export const recordings: Readonly<Record<Program, readonly Exchange[]>> = {
  nomad,
  bao,
  otfd: [...otfd, ...workspaceParts, ...setVariables, ...runs],
  consul,
};
