import type { PermissionsRow } from "../../core";

const ON = "the path {1}";

/**
 * The policy capabilities, by path. The specification does not map them to its endpoints. They follow from the request
 * method, as Vault and OpenBao document it. A write needs one of two capabilities. Which one depends on whether the engine
 * reports an existing object, and most engines do not.
 */
export const permissions: readonly PermissionsRow[] = [
  {
    methods: ["POST"],
    path: "/*/library/manage/*/check-in",
    needs: [
      { anyOf: ["update", "create"], on: "the path {1}/library/manage/{2}/check-in" },
      { anyOf: ["sudo"], on: "the path {1}/library/manage/{2}/check-in" },
    ],
  },
  ...privileged("/sys/auth/**", "the path sys/auth/{1}"),
  ...privileged("/sys/remount", "the path sys/remount"),
  { methods: ["GET"], path: "/**", needs: [{ anyOf: ["read"], on: ON }] },
  { methods: ["LIST"], path: "/**", needs: [{ anyOf: ["list"], on: ON }] },
  { methods: ["POST", "PUT"], path: "/**", needs: [{ anyOf: ["update", "create"], on: ON }] },
  { methods: ["PATCH"], path: "/**", needs: [{ anyOf: ["patch"], on: ON }] },
  { methods: ["DELETE"], path: "/**", needs: [{ anyOf: ["delete"], on: ON }] },
];

/** The rows of a path that also needs `sudo`. */
function privileged(path: string, on: string): PermissionsRow[] {
  const sudo = { anyOf: ["sudo"], on } as const;
  return [
    { methods: ["POST"], path, needs: [{ anyOf: ["update", "create"], on }, sudo] },
    { methods: ["DELETE"], path, needs: [{ anyOf: ["delete"], on }, sudo] },
  ];
}
