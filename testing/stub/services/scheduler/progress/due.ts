/** A step scheduled for a time by the mock server's clock. */
export type Due = { readonly at: number } & (
  | { readonly kind: "evaluate"; readonly evaluation: string }
  | { readonly kind: "start"; readonly allocation: string }
  | { readonly kind: "judge"; readonly allocation: string; readonly healthy: boolean }
  | { readonly kind: "fail"; readonly allocation: string }
  | { readonly kind: "finish"; readonly allocation: string }
  | { readonly kind: "deadline"; readonly deployment: string }
  | { readonly kind: "volume"; readonly volume: string }
);
