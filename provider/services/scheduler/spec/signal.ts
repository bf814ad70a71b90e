import { z } from "zod";
import { field } from "../../../core/language/facts";
import { upperCased } from "../../../core/value/spelling";

/** A signal that the service keeps in upper case, however it is written. */
export const signal = (doc: string) => field(z.string().optional(), { doc, spelling: upperCased });
