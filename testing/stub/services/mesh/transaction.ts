import { isObject, type Members } from "../../json";
import { invalid, Refusal } from "./errors";
import { isCurrent, KeyStore, type KeyValue } from "./key-value";
import type { Operation, WriteEndpoint } from "./operation";

/** `PUT /v1/txn` with operations on keys. An error in one operation discards all of them. */
export const applyTransaction: WriteEndpoint = {
  method: "PUT",
  path: "/v1/txn",
  isLocal: true,
  write(operation) {
    const given = operation.request.json();
    if (!Array.isArray(given))
      throw invalid("Failed to parse body: json: cannot unmarshal object into Go value of type api.TxnOps");
    const operations = given.map((each) => (isObject(each) && isObject(each.KV) ? each.KV : {}));
    const denied = operations.flatMap((each, at) => errorsOf(at, () => requirePermission(operation, each)));
    if (denied.length > 0) throw new Conflict(denied);
    const results = operations.map((each, at) => {
      const done: { result?: KeyValue | undefined } = {};
      const errors = errorsOf(at, () => {
        done.result = apply(operation, each);
      });
      if (errors.length > 0) throw new Conflict(errors);
      return done.result;
    });
    const shown = results.filter((result) => result !== undefined && operation.caller.readsKey(result.Key));
    const Results = shown.length === 0 ? null : shown.map((result) => ({ KV: { ...result, Value: null } }));
    return { response: { status: 200, body: { Results, Errors: null } } };
  },
};

interface TransactionError {
  readonly OpIndex: number;
  readonly What: string;
}

/** The response to a transaction that changed nothing. */
class Conflict extends Refusal {
  constructor(private readonly errors: readonly TransactionError[]) {
    super(409, "");
  }

  override get response() {
    const headers = { "content-type": "application/json; charset=utf-8" };
    return { status: 409, headers, body: { Results: null, Errors: this.errors } };
  }
}

function errorsOf(OpIndex: number, attempt: () => void): readonly TransactionError[] {
  try {
    attempt();
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [{ OpIndex, What: error.message }];
  }
}

function requirePermission({ caller }: Operation, { Key = "" }: Members): void {
  if (Key === "") throw invalid("Must provide key");
  caller.requireKey("write", String(Key));
}

function apply(operation: Operation, given: Members): KeyValue | undefined {
  const { Verb, Key: key = "", Value: value, Flags: flags = 0, Index: index = 0 } = given;
  const keys = new KeyStore(operation, given);
  const name = String(key);
  const before = keys.find(name);
  const quoted = JSON.stringify(name);
  if (Verb === "cas" && !isCurrent(before, BigInt(Number(index))))
    throw invalid(`failed to set key ${quoted}, index is stale`);
  if (Verb === "delete-cas" && before !== undefined && !isCurrent(before, BigInt(Number(index))))
    throw invalid(`failed to delete key ${quoted}, index is stale`);
  if (Verb === "delete" || Verb === "delete-cas") {
    keys.delete(name);
    return undefined;
  }
  if (Verb !== "set" && Verb !== "cas") throw invalid(`unknown KV verb ${JSON.stringify(Verb)}`);
  const text = typeof value === "string" && value !== "" ? value : null;
  return keys.set(name, text, Number(flags));
}
