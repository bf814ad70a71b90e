import { batch, kept, specified } from "./kept";
import { read } from "./read";

/** Common content of job records: see `Service`. A published dictionary never changes. */
const dictionaries: readonly string[] = [JSON.stringify([batch, read, specified, kept])];

export default dictionaries;
