/** Jest rejects an empty table. A property test has an empty table if this server has none of its definitions. */
const own = global.describe;

global.describe = new Proxy(own, {
  get(target, property) {
    const value: unknown = Reflect.get(target, property);
    if (property !== "each") return value;
    // The parameters and the result of jest's `each`.
    const each = value as (table: readonly unknown[]) => (name: string, body: () => void) => void;
    return (table: readonly unknown[]) => (table.length === 0 ? () => undefined : each(table));
  },
});
