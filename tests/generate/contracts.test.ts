import { catalog } from "../../provider/catalog";
import { CONTRACTS, contractOf } from "../../tools/generate/contracts";
import { compareWithContract, pathsOf, reasonFor } from "../../tools/generate/contracts/contract";
import { requestFields } from "../../tools/generate/contracts/requestFields";

const contracts = CONTRACTS.flatMap(({ product, resources }) =>
  Object.entries(resources).map(([token, contract]) => ({ token, product, contract })),
);

describe.each(contracts)("the contract of $token with $product", ({ token, contract }) => {
  const definition = catalog[token]?.();
  if (definition === undefined) throw new TypeError(`there is no resource ${token}`);
  const sent = requestFields(definition);
  const { offered, notOffered, unknown } = compareWithContract(contract, sent);

  test("contains every field that the resource sends", () => {
    expect(unknown).toEqual([]);
  });

  test("has a reason for each field that the resource does not offer", () => {
    expect(notOffered.filter((path) => reasonFor(contract, path) === undefined)).toEqual([]);
  });

  test("has no reason for a field that does not exist or that the resource offers", () => {
    const known = new Set(pathsOf(contract.fields));
    const own = new Set(offered);
    const wrong = Object.keys(contract.notOffered ?? {}).filter((path) => !known.has(path) || own.has(path));
    expect(wrong).toEqual([]);
  });

  test("renames and excepts only fields that the resource sends", () => {
    const names = [contract.sentAs, contract.elsewhere].flatMap((one) => Object.keys(one ?? {}));
    expect(names.filter((name) => !sent.fields.has(name))).toEqual([]);
  });
});

test("every resource has a contract, or a reason to have none", () => {
  const excused = new Map(CONTRACTS.flatMap(({ without }) => Object.entries(without)));
  const wrong = Object.keys(catalog).filter(
    (token) => (contractOf(token) === undefined) !== excused.has(token),
  );
  expect(wrong).toEqual([]);
});

describe("compareWithContract", () => {
  const contract = { source: "", fields: "A B{C D{E}} F" };
  const sentOf = (...fields: string[]) => ({ fields: new Set(fields), address: new Set<string>() });

  test("reads nested names", () => {
    expect(pathsOf(contract.fields)).toEqual(["A", "B", "B.C", "B.D", "B.D.E", "F"]);
  });

  test("counts all fields below an object that a program writes as it is", () => {
    expect(compareWithContract(contract, sentOf("A", "B"))).toEqual({
      offered: ["A", "B", "B.C", "B.D", "B.D.E"],
      notOffered: ["F"],
      unknown: [],
    });
  });

  test("finds a field that the contract does not have, also inside an object", () => {
    expect(compareWithContract(contract, sentOf("B", "B.C", "B.X", "G")).unknown).toEqual(["B.X", "G"]);
    expect(
      compareWithContract(contract, { fields: new Set(["G"]), address: new Set(["G"]) }).unknown,
    ).toEqual([]);
  });
});
