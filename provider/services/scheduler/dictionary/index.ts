import { batch, kept, specified } from "./kept";
import { read } from "./read";

/** What records of jobs say again and again: see `Service`. What was published is never changed. */
const dictionaries: readonly string[] = [JSON.stringify([batch, read, specified, kept])];

export default dictionaries;
