import { z } from "zod";
import { field, upperCased } from "../../../core";

/** A signal, which Nomad stores in upper case for every spelling. */
export const signal = (doc: string) => field(z.string().optional(), { doc, spelling: upperCased });
