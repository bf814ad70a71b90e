import type { Needed, RightsRow } from "../../core";

const onNamespace = (right: string): Needed => ({ anyOf: [right], on: "the job's namespace{ namespace?}" });

/** The capabilities that each page of the specification names under "ACL". */
export const rights: readonly RightsRow[] = [
  { methods: ["GET"], path: "/jobs", needs: [onNamespace("namespace:list-jobs")] },
  {
    methods: ["POST"],
    path: "/jobs",
    needs: [
      onNamespace("namespace:submit-job"),
      { ...onNamespace("namespace:policy-override"), when: "if `policyOverride` is set" },
    ],
  },
  {
    methods: ["POST"],
    path: "/jobs/parse",
    needs: [onNamespace("namespace:parse-job"), onNamespace("namespace:submit-job")],
  },
  {
    methods: ["POST"],
    path: "/job/*/plan",
    needs: [
      { ...onNamespace("namespace:submit-job"), anyOf: ["namespace:submit-job", "namespace:plan-job"] },
      { ...onNamespace("namespace:policy-override"), when: "if `policyOverride` is set" },
    ],
  },
  { methods: ["GET"], path: "/job/**", needs: [onNamespace("namespace:read-job")] },
  { methods: ["DELETE"], path: "/job/*", needs: [onNamespace("namespace:submit-job")] },
];
