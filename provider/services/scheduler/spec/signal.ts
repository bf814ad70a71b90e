import { z } from "zod";
import { field, upperCased } from "../../../core";

/** A signal that the service keeps in upper case, however it is written. */
export const signal = (doc: string) => field(z.string().optional(), { doc, spelling: upperCased });
