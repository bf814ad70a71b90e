import serviceResolver from "../../../provider/services/mesh/kinds/serviceResolver";
import serviceSplitter from "../../../provider/services/mesh/kinds/serviceSplitter";

const ADDRESS = { name: "web", namespace: "default" };
const DEFAULT = '["","default","default"]';

/** The references of an entry in the namespace `default`. */
const ofResolver = (redirect: { [member: string]: string }) =>
  serviceResolver.references?.from({ name: "web", spec: { redirect } }, ADDRESS);

test("a redirect to a service of the same namespace is a reference to it, with or without the namespace", () => {
  for (const more of [{}, { namespace: "default" }, { partition: "default" }])
    expect(ofResolver({ service: "api", ...more })).toEqual([`${DEFAULT}service api`]);
});

test.each(["namespace", "partition", "datacenter", "peer"])(
  "a redirect with another %s is no reference",
  (part) => {
    expect(ofResolver({ service: "api", [part]: "other" })).toEqual([]);
  },
);

test("each split of a splitter is a reference by itself", () => {
  const splits = [
    { weight: 50, service: "a" },
    { weight: 50, service: "b", namespace: "other" },
  ];
  expect(serviceSplitter.references?.from({ name: "web", spec: { splits } }, ADDRESS)).toEqual([
    `${DEFAULT}service a`,
  ]);
});
